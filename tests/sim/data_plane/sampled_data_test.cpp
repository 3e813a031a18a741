#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "sim/data_plane/sampled_store.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

void expect_sample_of_full(const Job& job, const ProgramOf& program) {
  const PlaneRun full = run_plane(job, DataMode::full, program);
  const PlaneRun sampled = run_plane(job, DataMode::sampled, program);
  EXPECT_EQ(sampled.result.verified, true);
  EXPECT_TRUE(sampled.result.ranks_identical);
  EXPECT_EQ(sampled.result.data, "sampled");
  const std::size_t size = static_cast<std::size_t>(size_of(job.spec.type));
  for (std::size_t rank = 0; rank < full.values.size(); ++rank) {
    const VectorValues& some = sampled.values[rank];
    EXPECT_EQ(some.elements, sample_places(job.world.count, job.world.ranks));
    EXPECT_EQ(some.elements.size(), static_cast<std::size_t>(sampled.result.checked_elements));
    std::vector<std::byte> expected;
    for (const std::int64_t element : some.elements) {
      const auto at = full.values[rank].bytes.begin() + element * static_cast<std::int64_t>(size);
      expected.insert(expected.end(), at, at + static_cast<std::int64_t>(size));
    }
    EXPECT_TRUE(some.bytes == expected) << "participant " << rank;
  }
}

class SampledData : public testing::TestWithParam<DataType> {};

TEST_P(SampledData, HasTheBitsOfFullDataAtItsPlaces) {
  for (const ReduceOp op : all_reduce_ops()) {
    for (const std::int64_t count : {0, 1, 7, 1000, 5001, 60000}) {
      SCOPED_TRACE(fmt::format("{} {} elements", name_of(op), count));
      expect_sample_of_full(plane_job(5, count, GetParam(), op), ring);
      expect_sample_of_full(plane_job(3, count, GetParam(), op), direct);
      expect_sample_of_full(plane_job(3, count, GetParam(), op), chain);
      expect_sample_of_full(plane_job(4, count, GetParam(), op, 1), through_server);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, SampledData,
                         testing::ValuesIn(all_data_types().begin(), all_data_types().end()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(SampledData, NeedsNoMemoryForTheVector) {
  Job job = plane_job(8, std::int64_t{1} << 40, DataType::float32, ReduceOp::sum);
  const PlaneRun run = run_plane(job, DataMode::sampled, ring);
  EXPECT_EQ(run.result.verified, true);
  EXPECT_THAT(run.result.checked_elements, testing::AllOf(testing::Ge(4000), testing::Le(5000)));
}

TEST(SamplePlaces, AreAllElementsOfASmallVector) {
  const auto places = sample_places(4096, 8);
  ASSERT_EQ(places.size(), 4096U);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_EQ(places[i], static_cast<std::int64_t>(i));
  EXPECT_TRUE(sample_places(0, 8).empty());
}

TEST(SamplePlaces, HoldBothEndsOfEveryBlockAndSomeOfEveryPart) {
  for (const std::int64_t count : {4097LL, 100'003LL, 1LL << 28, (1LL << 40) + 1}) {
    for (const int ranks : {1, 7, 32, 3000}) {
      const auto places = sample_places(count, ranks);
      EXPECT_TRUE(std::ranges::is_sorted(places));
      const std::set<std::int64_t> distinct(places.begin(), places.end());
      EXPECT_EQ(distinct.size(), places.size());
      EXPECT_EQ(places.front(), 0);
      EXPECT_EQ(places.back(), count - 1);
      EXPECT_LE(places.size(), 4096U + 4U * static_cast<unsigned>(ranks));
      const Blocks blocks({0, 0, count}, ranks);
      for (int i = 0; i < ranks; ++i) {
        if (blocks[i].empty()) continue;
        EXPECT_TRUE(distinct.contains(blocks[i].first));
        EXPECT_TRUE(distinct.contains(blocks[i].end() - 1));
      }
      const Blocks parts({0, 0, count}, 2000);  // 32 ranks with 62 channels
      for (int i = 0; i < 2000; ++i) {
        const auto at = distinct.lower_bound(parts[i].first);
        EXPECT_TRUE(at != distinct.end() && *at < parts[i].end()) << i;
      }
    }
  }
}

TEST(SamplePlaces, DoNotFallIntoStepWithPowersOfTwo) {
  const auto places = sample_places(std::int64_t{1} << 28, 1);
  std::vector<int> in_sixteenth(16);  // of an aligned piece of 64 Ki elements
  for (const std::int64_t place : places)
    ++in_sixteenth[static_cast<std::size_t>(place % 65536 / 4096)];
  for (const int hits : in_sixteenth)
    EXPECT_THAT(hits, testing::AllOf(testing::Ge(200), testing::Le(320)));
}

}  // namespace
}  // namespace reducelab
