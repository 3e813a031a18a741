// Every registered algorithm is proven for many numbers of ranks and elements.
#include <fmt/format.h>

#include "tests/algorithms/verify/verify_support.h"

namespace reducelab {
namespace {

using Given = std::map<std::string, std::string>;

void expect_verified(const Algorithm& algorithm, World world, const Given& given) {
  world.params = complete_params(algorithm, given);
  const VerifyReport report = verify(algorithm, world);
  std::string what =
      fmt::format("{}: {} ranks, {} elements", algorithm.name, world.ranks, world.count);
  for (const auto& [name, value] : given) what += fmt::format(", {}={}", name, value);
  EXPECT_EQ(report.text(), "") << what;
  if (world.ranks > 1 && world.count > 0) {
    EXPECT_GT(report.messages, 0U) << what;
  }
}

/// `ranks` ranks on nodes of `size`, the last of which may be smaller.
std::vector<std::vector<int>> nodes_of(int ranks, int size) {
  std::vector<std::vector<int>> nodes;
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank % size == 0) nodes.emplace_back();
    nodes.back().push_back(rank);
  }
  return nodes;
}

/// Settings of an algorithm's own parameters that change what its program does.
std::vector<Given> variants(const Algorithm& algorithm) {
  std::vector<Given> result{{}};
  for (const ParamSpec& spec : algorithm.params) {
    if (spec.kind == ParamSpec::Kind::choice) {
      for (const std::string_view choice : spec.choices) {
        if (choice != spec.default_value) {
          result.push_back({{std::string(spec.name), std::string(choice)}});
        }
      }
    } else if (spec.name == "channels" || spec.name == "servers") {
      result.push_back({{std::string(spec.name), "3"}});
    } else if (spec.kind == ParamSpec::Kind::bytes) {
      result.push_back({{std::string(spec.name), "200"}});
    } else if (spec.name == "root") {
      result.push_back({{"root", "1"}});
    }
  }
  Given together;
  for (const ParamSpec& spec : algorithm.params) {
    const bool pieces = spec.kind == ParamSpec::Kind::bytes;
    if (pieces || spec.name == "channels") together[std::string(spec.name)] = pieces ? "64" : "2";
    if (spec.name != "inner") continue;
    for (const std::string_view inner : {"ring", "double-tree", "segmented-ring"}) {
      const bool segments = inner == "segmented-ring";
      result.push_back({{"inner", std::string(inner)},
                        {segments ? "segment_bytes" : "slice_bytes", "64"},
                        {"intra", "direct"}});
    }
  }
  result.push_back(together);
  return result;
}

class EveryAlgorithm : public ::testing::TestWithParam<std::string_view> {
 protected:
  const Algorithm& algorithm() const { return find_algorithm(GetParam()); }
};

TEST_P(EveryAlgorithm, IsAnAllReduceForUpTo33Ranks) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    for (const std::int64_t count : {0, 1, ranks - 1, 1009}) {
      expect_verified(algorithm(), world_of(ranks, count), {});
    }
  }
}

TEST_P(EveryAlgorithm, IsAnAllReduceForManyRanks) {
  for (const int ranks : {48, 64, 100, 128}) {
    for (const std::int64_t count : {1, ranks - 1, 1013}) {
      expect_verified(algorithm(), world_of(ranks, count), {});
    }
  }
}

TEST_P(EveryAlgorithm, IsAnAllReduceForEachOfItsParameters) {
  for (const Given& given : variants(algorithm())) {
    for (const int ranks : {2, 3, 4, 7, 8, 13, 16, 33}) {
      World world = world_of(ranks, 1009);
      expect_verified(algorithm(), world, given);
    }
  }
}

TEST_P(EveryAlgorithm, IsAnAllReduceOnNodes) {
  for (const Given& given : variants(algorithm())) {
    for (const int ranks : {3, 8, 12, 17, 32}) {
      for (const int size : {2, 4}) {
        World world = world_of(ranks, 509);
        world.nodes = nodes_of(ranks, size);
        expect_verified(algorithm(), world, given);
      }
    }
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const Algorithm& algorithm : all_algorithms()) result.push_back(algorithm.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, ::testing::ValuesIn(names()),
                         [](const auto& name) {
                           std::string text(name.param);
                           std::erase(text, '-');
                           return text;
                         });

}  // namespace
}  // namespace reducelab
