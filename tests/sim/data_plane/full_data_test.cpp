#include <gmock/gmock.h>

#include "core/error.h"
#include "cuda_exec/sample_data.h"
#include "tests/cuda_exec/scalar_reduction.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

/// The result of summing each block in the order first_rank(block), +1, +2, ... around the ranks.
std::vector<std::byte> plain_reduction(const Job& job, int blocks, bool start_at_block) {
  const DataType type = job.spec.type;
  const int ranks = job.world.ranks;
  std::vector<std::vector<std::byte>> of;
  for (int rank = 0; rank < ranks; ++rank) {
    of.emplace_back(static_cast<std::size_t>(job.spec.bytes));
    fill(type, job.spec.op, job.spec.seed, rank, 0, of.back());
  }
  const ScalarReduction scalar(type);
  std::vector<std::byte> result(static_cast<std::size_t>(job.spec.bytes));
  const Blocks block({0, 0, job.world.count}, blocks);
  for (int b = 0; b < blocks; ++b) {
    for (std::int64_t i = block[b].first; i < block[b].end(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int first = start_at_block ? b : 0;
      std::uint64_t total = code_at(type, of[static_cast<std::size_t>(first)].data(), at);
      for (int k = 1; k < ranks; ++k) {
        const auto rank = static_cast<std::size_t>((first + k) % ranks);
        total = scalar.combine(job.spec.op, total, code_at(type, of[rank].data(), at));
      }
      if (job.spec.op == ReduceOp::avg) total = scalar.divide(total, ranks);
      set_code(type, result.data(), at, total);
    }
  }
  return result;
}

void expect_everyone_has(const std::vector<std::byte>& expected, const Job& job,
                         const PlaneRun& run) {
  EXPECT_EQ(run.result.verified, true);
  EXPECT_EQ(run.result.wrong, 0);
  EXPECT_TRUE(run.result.ranks_identical);
  EXPECT_EQ(run.result.checked_elements, job.world.count);
  for (int rank = 0; rank < job.world.ranks; ++rank) {
    // Not EXPECT_EQ: a message of a million bytes helps nobody.
    EXPECT_TRUE(run.values[static_cast<std::size_t>(rank)].bytes == expected) << "rank " << rank;
  }
}

class FullData : public testing::TestWithParam<DataType> {};

TEST_P(FullData, EqualsAPlainReductionForAllOperationsCountsAndRanks) {
  for (const ReduceOp op : all_reduce_ops()) {
    for (const int ranks : {1, 2, 3, 5, 8}) {
      for (const std::int64_t count :
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{ranks - 1}, std::int64_t{ranks},
            std::int64_t{1000}, std::int64_t{4097}}) {
        if (count > 1000 && ranks != 3) continue;  // the oracle is slow
        SCOPED_TRACE(fmt::format("{} {} ranks {} elements", name_of(op), ranks, count));
        const Job job = plane_job(ranks, count, GetParam(), op);
        expect_everyone_has(plain_reduction(job, ranks, true), job,
                            run_plane(job, DataMode::full, ring));
        const std::vector<std::byte> in_rank_order = plain_reduction(job, 1, false);
        expect_everyone_has(in_rank_order, job, run_plane(job, DataMode::full, direct));
        expect_everyone_has(in_rank_order, job, run_plane(job, DataMode::full, chain));
        const Job with_server = plane_job(ranks, count, GetParam(), op, 1);
        expect_everyone_has(in_rank_order, with_server,
                            run_plane(with_server, DataMode::full, through_server));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, FullData,
                         testing::ValuesIn(all_data_types().begin(), all_data_types().end()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(FullDataThread, GivesTheSameBitsForManyMessages) {
  // 40 ranks: 40 * 78 messages, enough for the thread to start and to get several chunks.
  const Job job = plane_job(40, 4097, DataType::float32, ReduceOp::sum);
  expect_everyone_has(plain_reduction(job, 40, true), job, run_plane(job, DataMode::full, ring));
}

TEST(FullDataThread, GivesTheSameBitsForLargeMessages) {
  const Job job = plane_job(3, 1'500'000, DataType::int32, ReduceOp::prod);
  expect_everyone_has(plain_reduction(job, 3, true), job, run_plane(job, DataMode::full, ring));
}

TEST(FullDataResult, SaysWhatWasDone) {
  const Job job = plane_job(4, 1000, DataType::bfloat16, ReduceOp::avg);
  const RunResult result = run_plane(job, DataMode::full, ring).result;
  EXPECT_EQ(result.data, "full");
  EXPECT_EQ(result.reducer, "cpu");
  EXPECT_EQ(result.checked_elements, 1000);
  EXPECT_GT(result.max_abs_error, 0);  // bfloat16 rounds
  EXPECT_LT(result.max_rel_error, 4 * 0x1p-8);
  EXPECT_GT(result.reduce_wall_s, 0);
}

TEST(FullDataResult, IsCheckedOnceOnly) {
  const Job job = plane_job(2, 10, DataType::float32, ReduceOp::avg);
  const auto plane = make_data_plane(job, DataMode::full);
  RunResult result;
  plane->check(result);
  EXPECT_THROW(plane->check(result), Error);
}

class ExtrasVector : public testing::TestWithParam<DataType> {};

TEST_P(ExtrasVector, StartsAsTheIdentity) {
  const ScalarReduction scalar(GetParam());
  for (const ReduceOp op : all_reduce_ops()) {
    const Job job = plane_job(1, 500, GetParam(), op, 1);
    const auto plane = make_data_plane(job, DataMode::full);
    const VectorValues identity = plane->values(1);
    const VectorValues data = plane->values(0);
    ASSERT_EQ(identity.bytes.size(), data.bytes.size());
    for (std::size_t i = 0; i < 500; ++i) {
      const std::uint64_t value = code_at(GetParam(), data.bytes.data(), i);
      ASSERT_EQ(scalar.combine(op, code_at(GetParam(), identity.bytes.data(), i), value), value)
          << name_of(op) << " element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ExtrasVector,
                         testing::ValuesIn(all_data_types().begin(), all_data_types().end()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(LocalOperations, OverlappingCopiesAndReductionsReadBeforeTheyWrite) {
  const Job job = plane_job(1, 100, DataType::int64, ReduceOp::sum);
  const auto shift_then_double = [](Rank self) -> Program {
    const Range all = self.vector();
    co_yield copy(all.part(1, 99), all.part(0, 99));
    co_yield reduce(all, all);
  };
  const PlaneRun run = run_plane(job, DataMode::full, shift_then_double);
  std::vector<std::byte> before(800);
  fill(DataType::int64, ReduceOp::sum, job.spec.seed, 0, 0, before);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto from = code_at(DataType::int64, before.data(), i == 0 ? 0 : i - 1);
    ASSERT_EQ(code_at(DataType::int64, run.values[0].bytes.data(), i), 2 * from) << i;
  }
}

TEST(LocalOperations, ScratchThatGrowsKeepsItsValues) {
  const Job job = plane_job(1, 4000, DataType::float64, ReduceOp::max);
  const auto through_growing_scratch = [](Rank self) -> Program {
    const Range scratch = self.scratch(4000);
    for (int i = 0; i < 40; ++i) {
      co_yield copy(scratch.part(100 * i, 100), self.vector().part(100 * i, 100));
    }
    co_yield copy(self.vector(), scratch);
  };
  EXPECT_EQ(run_plane(job, DataMode::full, through_growing_scratch).result.verified, true);
}

}  // namespace
}  // namespace reducelab
