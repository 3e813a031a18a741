#include <gtest/gtest.h>

#include "tests/algorithms/allreduce/cases.h"
#include "tests/algorithms/allreduce/moved_data.h"

namespace reducelab {
namespace {

// Small integers, different for every rank and element: their sums are exact in any order.
double integer_value(int rank, std::int64_t element) {
  return static_cast<double>((rank * 7919 + element * 104729) % 1009);
}

double integer_sum(int ranks, std::int64_t element) {
  double sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += integer_value(rank, element);
  return sum;
}

class Sums : public testing::TestWithParam<AlgorithmCase> {};

TEST_P(Sums, AreExactOnEveryRankForEveryRankCountAndLength) {
  const Algorithm& algorithm = find_algorithm(GetParam().name);
  for (int ranks = 1; ranks <= 33; ++ranks) {
    for (const std::int64_t count : {0, 1, ranks - 1, ranks, 1000}) {
      SCOPED_TRACE(text_of(GetParam(), ranks, count));
      const World world = world_for(GetParam(), ranks, count);
      MovedData data(world, integer_value);
      ASSERT_NO_THROW(run_all(algorithm, world, data));
      MovedData::Vector expected;
      for (std::int64_t i = 0; i < count; ++i) expected.push_back(integer_sum(ranks, i));
      for (int rank = 0; rank < ranks; ++rank) ASSERT_EQ(data.vector(rank), expected) << rank;
    }
  }
}

TEST_P(Sums, AreExactWithAWindowOfOneMessage) {
  const Algorithm& algorithm = find_algorithm(GetParam().name);
  for (const int ranks : {2, 3, 6, 13, 16}) {
    SCOPED_TRACE(text_of(GetParam(), ranks, 500));
    const World world = world_for(GetParam(), ranks, 500);
    MovedData data(world, integer_value);
    ASSERT_NO_THROW(run_all(algorithm, world, data, 1));
    for (int rank = 0; rank < ranks; ++rank) {
      for (std::int64_t i = 0; i < 500; ++i) {
        ASSERT_EQ(data.vector(rank)[i], integer_sum(ranks, i)) << rank << " " << i;
      }
    }
  }
}

// 1/k is rounded, so that a different order of additions shows in the last bits of some elements.
double rounded_value(int rank, std::int64_t element) {
  return 1.0 / static_cast<double>(3 + rank * 311 + element);
}

TEST_P(Sums, HaveTheSameBitsOnAllRanks) {
  const Algorithm& algorithm = find_algorithm(GetParam().name);
  ASSERT_TRUE(algorithm.identical_ranks);
  for (const int ranks : {2, 3, 5, 7, 8, 12, 17, 24, 33}) {
    SCOPED_TRACE(text_of(GetParam(), ranks, 300));
    const World world = world_for(GetParam(), ranks, 300);
    MovedData data(world, rounded_value);
    run_all(algorithm, world, data);
    for (int rank = 1; rank < ranks; ++rank) ASSERT_EQ(data.vector(rank), data.vector(0)) << rank;
  }
}

std::string test_name(const testing::TestParamInfo<AlgorithmCase>& info) {
  std::string name = info.param.name;
  for (const auto& [key, value] : info.param.params) name += "_" + key + "_" + value;
  name += "_nodes_" + info.param.nodes;
  for (char& letter : name) {
    if (letter == '-') letter = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(AllReduce, Sums, testing::ValuesIn(all_cases()), test_name);

/// Compares every rank's result with the same additions done here, in rank order.
void expect_fold_in_rank_order(const std::string& name) {
  constexpr int kRanks = 9;
  constexpr std::int64_t kCount = 100;
  const World world = world_for({name, {}}, kRanks, kCount);
  MovedData data(world, rounded_value);
  run_all(find_algorithm(name), world, data);
  for (std::int64_t i = 0; i < kCount; ++i) {
    double folded = 0;
    for (int rank = 0; rank < kRanks; ++rank) folded += rounded_value(rank, i);
    for (int rank = 0; rank < kRanks; ++rank) ASSERT_EQ(data.vector(rank)[i], folded) << i;
  }
}

TEST(OneShot, FoldsInRankOrderOnEveryRank) {
  expect_fold_in_rank_order("one-shot");
}
TEST(Linear, FoldsInRankOrderWhenTheRootIsRankZero) {
  expect_fold_in_rank_order("linear");
}
TEST(ParameterServer, FoldsInRankOrder) {
  expect_fold_in_rank_order("parameter-server");
}

// Block b is a left fold over ranks b+1, b+2, .., b: it starts at its owner's successor.
TEST(Ring, FoldsEachBlockAroundTheRingEndingAtItsOwner) {
  constexpr int kRanks = 7;
  constexpr int kBlock = 20;  // elements
  const World world = world_for({"ring", {}}, kRanks, kRanks * kBlock);
  MovedData data(world, rounded_value);
  run_all(find_algorithm("ring"), world, data);
  for (int i = 0; i < kRanks * kBlock; ++i) {
    const int owner = i / kBlock;
    double folded = rounded_value((owner + 1) % kRanks, i);
    for (int hop = 2; hop <= kRanks; ++hop) folded += rounded_value((owner + hop) % kRanks, i);
    ASSERT_EQ(data.vector(3)[i], folded) << i;
  }
}

}  // namespace
}  // namespace reducelab
