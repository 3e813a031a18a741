// The simgrid engine against the closed forms on a contention-free switch, and against figures of
// an independent prototype.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "algorithms/registry.h"
#include "in_a_child.h"

namespace reducelab {
namespace {

class ClosedForm : public testing::TestWithParam<std::string> {};

TEST_P(ClosedForm, equals_the_simulation_to_1e_9_for_2_to_64_ranks) {
  int exact = 0;
  for (int ranks = 2; ranks <= 64; ++ranks) {
    RunSpec spec;
    spec.algorithm = GetParam();
    spec.topology = one_switch(ranks + 1);  // one more, for a server
    spec.ranks = ranks;
    // Whole elements in every block of p, of 2p and of the power of two below p.
    spec.bytes = 4LL * 64 * std::lcm(ranks, 64);
    spec.data = DataMode::none;
    const RunResult result = in_a_child(spec);
    if (!result.closed_form_exact) continue;
    ++exact;
    ASSERT_TRUE(result.closed_form_s.has_value());
    EXPECT_NEAR(result.time_s, *result.closed_form_s, 1e-9 * *result.closed_form_s)
        << ranks << " ranks";
  }
  // Binomial trees are exact for powers of two only; the pipelined double tree never is.
  if (GetParam() == "double-tree") {
    EXPECT_EQ(exact, 0);
  } else {
    EXPECT_GE(exact, GetParam() == "binomial" ? 6 : 60);
  }
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : all_algorithms()) names.emplace_back(algorithm.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(every_algorithm, ClosedForm, testing::ValuesIn(algorithm_names()),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

RunSpec prototype(const std::string& algorithm, std::int64_t bytes) {
  RunSpec spec;
  spec.algorithm = algorithm;
  spec.topology = one_switch(16);
  spec.bytes = bytes;
  spec.data = DataMode::none;
  return spec;
}

TEST(Prototype, ring_of_16_ranks_and_1_MiB_takes_217_286_us_in_whole_blocks) {
  EXPECT_NEAR(in_a_child(prototype("ring", 1 << 20)).time_s * 1e6, 217.286, 0.0005);
}

TEST(Prototype, the_same_ring_in_16_KiB_slices_takes_159_286_us) {
  RunSpec spec = prototype("ring", 1 << 20);
  spec.params["slice_bytes"] = "16KiB";
  EXPECT_NEAR(in_a_child(spec).time_s * 1e6, 159.286, 0.0005);
}

TEST(Prototype, double_tree_of_16_ranks_and_32_MiB_in_256_KiB_slices_takes_5558_us) {
  RunSpec spec = prototype("double-tree", 32 << 20);
  spec.params["slice_bytes"] = "256KiB";
  EXPECT_NEAR(in_a_child(spec).time_s * 1e6, 5558, 0.5);
}

}  // namespace
}  // namespace reducelab
