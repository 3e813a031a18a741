#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/rng.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

/// A run of times and counts alone on the flow engine.
RunSpec times_of(const std::string& algorithm, const std::string& topology, std::int64_t elements,
                 const std::string& profile = "ideal") {
  RunSpec spec;
  spec.algorithm = algorithm;
  spec.topology = topology;
  spec.bytes = elements * size_of(spec.type);
  spec.profile = profile;
  spec.engine = "flow";
  spec.data = DataMode::none;
  return spec;
}

/// True if one rank stood for all; the result must then be that of a run of all ranks.
bool stands_for_all(RunSpec spec) {
  spec.symmetry = Symmetry::automatic;
  const RunResult one = simulate(spec);
  if (!one.ranks_simulated) return false;
  spec.symmetry = Symmetry::off;
  const RunResult all = simulate(spec);
  EXPECT_FALSE(all.ranks_simulated);
  EXPECT_EQ(one.ranks_simulated, 1);
  EXPECT_NEAR(one.time_s, all.time_s, 1e-9 * all.time_s) << to_json(spec);
  EXPECT_EQ(one.messages, all.messages) << to_json(spec);
  EXPECT_EQ(one.bytes_sent, all.bytes_sent) << to_json(spec);
  EXPECT_EQ(one.steps, all.steps) << to_json(spec);
  EXPECT_EQ(one.network_model, all.network_model);
  EXPECT_EQ(one.spec.engine, all.spec.engine);
  EXPECT_EQ(one.verified, std::nullopt);
  return true;
}

struct Variant {
  std::string algorithm;
  std::map<std::string, std::string> params;
};

/// Every algorithm, and parameters that change the programs of those that are the same on all
/// ranks.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Algorithm& algorithm : all_algorithms()) {
    all.push_back({std::string(algorithm.name), {}});
  }
  all.push_back({"ring", {{"channels", "3"}}});
  all.push_back({"ring", {{"channels", "2"}, {"slice_bytes", "8KiB"}}});
  all.push_back({"segmented-ring", {{"segment_bytes", "8KiB"}}});
  all.push_back({"bidirectional-ring", {{"slice_bytes", "1KiB"}}});
  all.push_back({"rabenseifner", {{"order", "far-first"}}});
  all.push_back({"hierarchical", {{"inner", "rabenseifner"}}});
  return all;
}

/// Where one rank stood for all, as `algorithm on topology, profile`.
std::set<std::string> uses(const std::string& kind, const std::string& topology, int ranks,
                           const std::string& profile) {
  std::set<std::string> used;
  for (const Variant& variant : variants()) {
    // Equal blocks of few and of many bytes, and unequal ones.
    for (const std::int64_t elements : {12 * ranks, 12 * 1024 * ranks, 12 * ranks + 1}) {
      RunSpec spec = times_of(variant.algorithm, topology, elements, profile);
      spec.params = variant.params;
      if (stands_for_all(spec)) used.insert(variant.algorithm + " on " + kind + ", " + profile);
    }
  }
  return used;
}

TEST(OneRank, GivesTheTimeAndTheCountsOfAllRanksWhereverItStandsForThem) {
  std::set<std::string> used;
  for (const char* profile : {"ideal", "mpi-rdma", "mpi-tcp", "nccl"}) {
    for (const int ranks : {2, 3, 4, 5, 8, 12, 16}) {
      const std::string n = std::to_string(ranks);
      used.merge(uses("a switch", "single-switch:hosts=" + n, ranks, profile));
      used.merge(uses("a circle", "torus:dims=" + n, ranks, profile));
    }
    used.merge(uses("a plane", "torus:dims=2x2", 4, profile));
    used.merge(uses("a cube", "torus:dims=2x2x2", 8, profile));
    used.merge(
        uses("a tree", "leaf-spine:leaves=4,hosts=4,spines=1,oversubscription=3", 16, profile));
  }
  for (const char* algorithm :
       {"ring", "segmented-ring", "recursive-doubling", "rabenseifner", "hierarchical"}) {
    for (const char* profile : {"ideal", "mpi-rdma", "mpi-tcp", "nccl"}) {
      EXPECT_TRUE(used.contains(std::string(algorithm) + " on a switch, " + profile))
          << algorithm << " " << profile;
    }
  }
  for (const char* where :
       {"two-shot on a switch, ideal", "bidirectional-ring on a switch, ideal",
        "two-shot on a circle, ideal", "ring on a circle, mpi-rdma",
        "recursive-doubling on a plane, mpi-rdma", "rabenseifner on a cube, nccl",
        "recursive-doubling on a tree, mpi-rdma", "rabenseifner on a tree, ideal"}) {
    EXPECT_TRUE(used.contains(where)) << where;
  }
  for (const std::string& where : used) {
    for (const char* algorithm :
         {"linear", "one-shot", "binomial", "circulant", "double-tree", "parameter-server"}) {
      EXPECT_FALSE(where.starts_with(std::string(algorithm) + " ")) << where;
    }
    EXPECT_FALSE(where.starts_with("ring on a cube")) << where;
  }
}

TEST(OneRank, StandsForSixtyFour) {
  for (const char* algorithm : {"ring", "rabenseifner", "recursive-doubling", "two-shot"}) {
    EXPECT_TRUE(stands_for_all(times_of(algorithm, "single-switch:hosts=64", 64 * 128)));
  }
  for (const char* algorithm : {"ring", "segmented-ring", "rabenseifner"}) {
    EXPECT_TRUE(
        stands_for_all(times_of(algorithm, "single-switch:hosts=64", 64 * 128, "mpi-rdma")));
  }
  EXPECT_TRUE(stands_for_all(times_of("recursive-doubling", "torus:dims=2x2x2", 4096)));
  EXPECT_TRUE(stands_for_all(times_of("two-shot", "torus:dims=33", 33 * 50)));
}

TEST(OneRank, StandsForTheGpusOfEqualNodes) {
  for (const char* algorithm : {"recursive-doubling", "rabenseifner"}) {
    for (const char* profile : {"nccl", "mpi-rdma"}) {
      EXPECT_TRUE(stands_for_all(times_of(algorithm, "dgx-h100:nodes=4", 32 * 1000, profile)));
    }
    EXPECT_TRUE(stands_for_all(times_of(algorithm, "hgx-h100-8", 8 * 1000, "nccl")));
  }
  EXPECT_TRUE(stands_for_all(times_of("ring", "hgx-h100-8", 16 * 8 * 1000, "nccl")));
}

TEST(OneRank, StandsForSomeOfTheHosts) {
  RunSpec spec = times_of("ring", "single-switch:hosts=9", 600);
  spec.ranks = 6;
  spec.placement = "8,1,3,2,7,5";
  EXPECT_TRUE(stands_for_all(spec));
}

TEST(OneRank, IsNotUsedWhereBlocksAreUnequal) {
  for (const char* algorithm : {"ring", "two-shot", "segmented-ring", "bidirectional-ring"}) {
    EXPECT_TRUE(stands_for_all(times_of(algorithm, "single-switch:hosts=6", 600))) << algorithm;
    EXPECT_FALSE(stands_for_all(times_of(algorithm, "single-switch:hosts=6", 602))) << algorithm;
  }
  EXPECT_FALSE(stands_for_all(times_of("rabenseifner", "single-switch:hosts=8", 601)));
}

/// `hosts` hosts on a switch; one of their cables has `odd` in place of `ordinary` in its line.
std::string star_file(int hosts, const std::string& odd) {
  std::string text = "name = \"star\"\n[[device]]\nname = \"s\"\nkind = \"switch\"\n";
  for (int i = 0; i < hosts; ++i) {
    const std::string name = "h" + std::to_string(i);
    text += "[[device]]\nname = \"" + name + "\"\nkind = \"host\"\n";
    text += "[[link]]\nbetween = [\"" + name + "\", \"s\"]\n";
    text += i == 3 && !odd.empty() ? odd : "bandwidth = \"100Gbps\"\nlatency = \"1us\"\n";
  }
  const std::string path = testing::TempDir() + "one_rank_star.toml";
  write_file_atomically(path, text);
  return path;
}

TEST(OneRank, IsNotUsedWhereOneLinkIsUnlikeTheOthers) {
  EXPECT_TRUE(stands_for_all(times_of("ring", star_file(6, ""), 600)));
  EXPECT_FALSE(stands_for_all(
      times_of("ring", star_file(6, "bandwidth = \"99Gbps\"\nlatency = \"1us\"\n"), 600)));
  EXPECT_FALSE(stands_for_all(
      times_of("ring", star_file(6, "bandwidth = \"100Gbps\"\nlatency = \"1.1us\"\n"), 600)));
}

TEST(OneRank, IsNotUsedWhereThePlacementTearsTheTopologyApart) {
  EXPECT_TRUE(stands_for_all(times_of("ring", "torus:dims=6", 600)));
  RunSpec spec = times_of("ring", "torus:dims=6", 600);
  spec.placement = "0,2,1,3,4,5";
  EXPECT_FALSE(stands_for_all(spec));
  spec.placement = "block";
  spec.ranks = 5;
  EXPECT_FALSE(stands_for_all(spec));
  EXPECT_FALSE(stands_for_all(times_of("ring", "torus:dims=2x3", 600)));
  EXPECT_FALSE(stands_for_all(times_of("ring", "dgx-h100:nodes=2", 1600)));
}

TEST(OneRank, IsNotUsedWhereEqualPathsAreChosenByNumbers) {
  // Half way round, every other rank goes the other way.
  EXPECT_FALSE(stands_for_all(times_of("two-shot", "torus:dims=6", 600)));
  EXPECT_TRUE(stands_for_all(times_of("two-shot", "torus:dims=7", 700)));
}

TEST(OneRank, IsNotUsedWhereSpinesAreChosenByNumbers) {
  const std::string tree = "leaf-spine:leaves=4,hosts=4,bandwidth=100Gbps,spines=";
  EXPECT_TRUE(stands_for_all(times_of("recursive-doubling", tree + "1", 1600)));
  EXPECT_FALSE(stands_for_all(times_of("recursive-doubling", tree + "2", 1600)));
}

TEST(OneRank, StandsForAllWhereMessagesAskForAProcessorAtOneTime) {
  for (const char* profile : {"ideal", "mpi-rdma", "mpi-tcp"}) {
    for (const int ranks : {3, 8, 12}) {
      const std::string hosts = "single-switch:hosts=" + std::to_string(ranks);
      EXPECT_TRUE(stands_for_all(times_of("two-shot", hosts, ranks << 13, profile))) << profile;
    }
  }
}

TEST(OneRank, IsNotUsedWherePathsHaveNoLatency) {
  EXPECT_FALSE(stands_for_all(times_of("ring", "single-switch:hosts=8,latency=0us", 800)));
}

TEST(OneRank, IsNotUsedWhereMoreIsAskedForThanTimes) {
  const RunSpec plain = times_of("ring", "single-switch:hosts=4", 400);
  EXPECT_TRUE(simulate(plain).ranks_simulated);
  const auto used = [&](auto change) {
    RunSpec spec = plain;
    change(spec);
    return simulate(spec).ranks_simulated.has_value();
  };
  EXPECT_TRUE(used([](RunSpec& spec) { spec.engine = "auto"; }));
  EXPECT_FALSE(used([](RunSpec& spec) { spec.symmetry = Symmetry::off; }));
  EXPECT_FALSE(used([](RunSpec& spec) { spec.data = DataMode::automatic; }));
  EXPECT_FALSE(used([](RunSpec& spec) { spec.explain = true; }));
  EXPECT_FALSE(
      used([](RunSpec& spec) { spec.scenario = "slow_rank = [{ ranks = 1, factor = 2 }]"; }));
  EXPECT_FALSE(used([](RunSpec& spec) { spec.engine = "analytic"; }));
}

/// Transport profiles that no cluster has, of which each costs something else.
std::string random_profile(const RandomStream& draws) {
  const auto pick = [&](std::uint64_t index, const std::vector<std::string>& from) {
    return "\"" + from[draws.bits(index) % from.size()] + "\"\n";
  };
  const std::vector<std::string> costs{"0ns", "100ns", "250ns", "333ns", "1us"};
  std::string text = "name = \"drawn\"\ndescription = \"drawn\"\n";
  text += "eager = " + pick(0, {"0B", "64B", "1KiB", "100KiB"});
  text += "handshake_latencies = " + std::to_string(draws.bits(1) % 3) + "\n";
  text += "window = " + std::to_string(1 + draws.bits(2) % 8) + "\n";
  text += "[overheads]\nsend = " + pick(3, costs) + "receive = " + pick(4, costs);
  text += "[reduction]\nlaunch = " + pick(5, costs);
  text += "bandwidth = " + pick(6, {"1GBps", "7GBps", "10GBps", "100GBps"});
  text += "concurrent = " + std::to_string(1 + draws.bits(7) % 3) + "\n";
  text += "copy_bandwidth = \"10GBps\"\n[[protocol]]\nname = \"p\"\n";
  const std::string path = testing::TempDir() + "one_rank_profile.toml";
  write_file_atomically(path, text);
  return path;
}

RunSpec random_spec(const RandomStream& draws) {
  const auto below = [&](std::uint64_t index, int limit) {
    return static_cast<int>(draws.bits(index) % static_cast<std::uint64_t>(limit));
  };
  const std::vector<std::string> shifting{"ring", "bidirectional-ring", "two-shot",
                                          "segmented-ring", "hierarchical"};
  const std::vector<std::string> doubling{"recursive-doubling", "rabenseifner"};
  const bool doubles = below(20, 3) == 0;
  const int ranks = doubles ? 2 << below(21, 4) : 2 + below(21, 14);
  const std::string kind = !doubles && below(22, 2) == 0 ? "torus:dims=" : "single-switch:hosts=";
  const int channels = 1 + below(23, 3);
  RunSpec spec = times_of(doubles ? doubling[draws.bits(24) % 2] : shifting[draws.bits(24) % 5],
                          kind + std::to_string(ranks),
                          2LL * ranks * channels * (1 + below(25, 400)), random_profile(draws));
  const std::string piece = std::to_string(4 * (1 + below(26, 200)));
  if (spec.algorithm == "ring") spec.params["channels"] = std::to_string(channels);
  if (spec.algorithm == "segmented-ring") spec.params["segment_bytes"] = piece;
  if (spec.algorithm.ends_with("ring") && spec.algorithm != "segmented-ring" && below(27, 2) == 0) {
    spec.params["slice_bytes"] = piece;
  }
  return spec;
}

TEST(OneRank, GivesTheTimeAndTheCountsOfAllRanksInRandomCases) {
  int used = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    if (stands_for_all(random_spec(RandomStream(7, RandomPurpose::test, i)))) ++used;
  }
  EXPECT_GT(used, 200);
}

/// Patarasuk and Yuan's ring: 2 (n - 1) steps of one block each.
TEST(OneRank, StandsForTheRanksOfARingTooLargeToSimulateWhole) {
  const int ranks = 65536;
  const RunResult result = simulate(
      times_of("ring", "single-switch:hosts=65536,bandwidth=100Gbps,latency=1us", 16LL * ranks));
  EXPECT_EQ(result.ranks_simulated, 1);
  const double step_s = 1e-6 + 16 * 4 / 12.5e9;
  EXPECT_NEAR(result.time_s, 2 * (ranks - 1) * step_s, 1e-9 * result.time_s);
  EXPECT_EQ(result.messages, 2ull * ranks * (ranks - 1));
  EXPECT_EQ(result.bytes_sent, 2ll * (ranks - 1) * 16 * 4 * ranks);
  EXPECT_EQ(result.steps, 2u * (ranks - 1));
}

}  // namespace
}  // namespace reducelab
