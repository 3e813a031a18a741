#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/algorithms/allreduce/cases.h"

namespace reducelab {
namespace {

constexpr CostModel kModel{5e-6, 1 / 12.5e9, 1 / 50e9};

ClosedForm cost_of(const AlgorithmCase& the_case, int ranks, std::int64_t count,
                   CostModel model = kModel) {
  const World world = world_for(the_case, ranks, count);
  return find_algorithm(the_case.name).cost(world, model).value();
}

// Textbook values to a tenth of a microsecond, computed independently: alpha 5 us, 12.5 GB/s ports,
// reduction at 50 GB/s, vectors of 1 KiB, 1 MiB and 1 GiB.
TEST(ClosedForms, EqualTheTableOfTextbookValues) {
  const std::array<std::string, 7> names{
      "binomial",  "recursive-doubling", "rabenseifner",    "ring",
      "circulant", "double-tree",        "parameter-server"};
  struct Row {
    int ranks;
    std::int64_t bytes;
    std::array<double, 7> us;
  };
  const std::vector<Row> rows{
      {7, 1 << 10, {30.6, 20.4, 35.3, 60.2, 30.2, 80.7, 11.3}},
      {7, 1 << 20, {596.2, 418.5, 354.8, 221.8, 191.8, 428.4, 1331.2}},
      {7, 1 << 30, {579850.6, 408041.9, 327526.3, 165723.0, 165693.0, 178279.9, 1352924.7}},
      {8, 1 << 10, {30.6, 15.3, 30.2, 70.2, 30.2, 80.7, 11.5}},
      {8, 1 << 20, {596.2, 329.6, 195.2, 235.2, 195.2, 428.4, 1519.9}},
      {8, 1 << 30, {579850.6, 322137.5, 169144.3, 169184.3, 169144.3, 178279.9, 1546198.2}},
      {64, 1 << 10, {61.1, 30.6, 60.2, 630.2, 60.2, 141.1, 21.8}},
      {64, 1 << 20, {1192.5, 659.1, 245.8, 815.8, 245.8, 571.6, 12089.6}},
      {64, 1 << 30, {1159701.2, 644275.1, 190313.6, 190883.6, 190313.6, 180999.6, 12369515.8}}};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double us = cost_of({names[i], {}}, row.ranks, row.bytes / 4).time_s * 1e6;
      EXPECT_EQ(std::round(us * 10) / 10, row.us[i])
          << names[i] << " p=" << row.ranks << " n=" << row.bytes;
    }
  }
}

// Two ranks with a vector of 80 bytes; port 1 B/s, reduction 10 B/s, start-up 1000 s: by hand.
TEST(ClosedForms, EqualHandCountedTimesOfTwoRanks) {
  const CostModel model{1000, 1, 0.1};
  const auto time = [&](const AlgorithmCase& the_case) {
    return cost_of(the_case, 2, 20, model).time_s;
  };
  EXPECT_DOUBLE_EQ(time({"linear", {}}), 2000 + 160 + 8);
  EXPECT_DOUBLE_EQ(time({"one-shot", {}}), 1000 + 80 + 8);
  EXPECT_DOUBLE_EQ(time({"two-shot", {}}), 2000 + 80 + 4);
  EXPECT_DOUBLE_EQ(time({"bidirectional-ring", {}}), 2000 + 80 + 4);
  EXPECT_DOUBLE_EQ(time({"segmented-ring", {{"segment_bytes", "20"}}}), 3000 + 80 + 4);
  EXPECT_DOUBLE_EQ(time({"parameter-server", {}}), 2000 + 320 + 16);
  // Two servers halve a server's traffic and work; four make the worker's port the bottleneck.
  EXPECT_DOUBLE_EQ(time({"parameter-server", {{"servers", "2"}}}), 2000 + 160 + 8);
  EXPECT_DOUBLE_EQ(time({"parameter-server", {{"servers", "4"}}}), 2000 + 160 + 4);
  EXPECT_DOUBLE_EQ(time({"hierarchical", {}, "pairs"}), 2000 + 80 + 4);
}

// A ring over g ranks, an all-reduce of n/g over N nodes, a ring back.
TEST(ClosedForms, HierarchicalAddsItsThreeParts) {
  World world = world_for({"hierarchical", {}}, 12, 1200);
  world.nodes = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  const Algorithm& hierarchical = find_algorithm("hierarchical");
  const double n = 4800 / 12.5e9;
  const double inside = 3 * (2 * 5e-6 + (2 * n + n / 4) / 4);
  const double between = 2 * (2 * 5e-6 + (2 * n + n / 4) / 12);
  const ClosedForm cost = hierarchical.cost(world, kModel).value();
  EXPECT_NEAR(cost.time_s, inside + between, 1e-15);
  EXPECT_TRUE(cost.exact);
}

TEST(ClosedForms, AreZeroWhenNothingIsSent) {
  for (const Algorithm& algorithm : all_algorithms()) {
    const AlgorithmCase the_case{std::string(algorithm.name), {}};
    EXPECT_EQ(cost_of(the_case, 8, 0).time_s, 0) << algorithm.name;
    if (algorithm.extras) continue;  // a server answers even a single worker
    EXPECT_EQ(cost_of(the_case, 1, 100).time_s, 0) << algorithm.name;
  }
}

TEST(ClosedForms, ClaimExactnessOnlyForEqualWholeBlocks) {
  EXPECT_TRUE(cost_of({"ring", {}}, 8, 800).exact);
  EXPECT_FALSE(cost_of({"ring", {}}, 8, 801).exact);
  EXPECT_FALSE(cost_of({"ring", {{"slice_bytes", "40"}}}, 8, 800).exact);
  EXPECT_FALSE(cost_of({"ring", {{"channels", "2"}}}, 8, 800).exact);
  EXPECT_TRUE(cost_of({"rabenseifner", {}}, 7, 400).exact);
  EXPECT_FALSE(cost_of({"rabenseifner", {}}, 7, 401).exact);
  EXPECT_TRUE(cost_of({"binomial", {}}, 8, 800).exact);
  EXPECT_FALSE(cost_of({"binomial", {}}, 7, 800).exact);
  EXPECT_FALSE(cost_of({"double-tree", {}}, 8, 800).exact);
  EXPECT_FALSE(cost_of({"parameter-server", {{"placement", "colocated"}}}, 8, 800).exact);
  EXPECT_FALSE(cost_of({"hierarchical", {}, "uneven"}, 8, 800).exact);
}

TEST(ClosedForms, ExistForEveryCaseAndArePositive) {
  for (const AlgorithmCase& the_case : all_cases()) {
    const double time_s = cost_of(the_case, 12, 1000).time_s;
    EXPECT_TRUE(std::isfinite(time_s) && time_s > 0) << text_of(the_case, 12, 1000);
  }
}

}  // namespace
}  // namespace reducelab
