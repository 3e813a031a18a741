#include <gmock/gmock.h>

#include "core/error.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

/// The Error that running a program ends with; a default one of code `bug` if there is none.
Error error_of(const Job& job, DataMode mode, const ProgramOf& program) {
  try {
    run_plane(job, mode, program);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::bug, "no error"};
}

Program ring_without_last_step(Rank self) {
  const Blocks block = self.blocks(self.size());
  for (int step = 0; step < self.size() - 1; ++step) {
    co_yield send(self.next(), block[self.id() - step]);
    co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
  }
  for (int step = 0; step < self.size() - 2; ++step) {
    co_yield send(self.next(), block[self.id() + 1 - step]);
    co_yield recv(self.prev(), block[self.id() - step]);
  }
}

Program server_that_counts_rank_1_twice(Rank self) {
  if (self.id() < self.size()) {
    for (int i = 0; i < (self.id() == 1 ? 2 : 1); ++i) {
      co_yield send(self.extra(0), self.vector());
    }
    co_yield recv(self.extra(0), self.vector());
  } else {
    for (const int rank : {0, 1, 1, 2}) co_yield recv_reduce(rank, self.vector());
    for (int rank = 0; rank < self.size(); ++rank) co_yield send(rank, self.vector());
  }
}

/// Rank 1 reduces what it gets one element too far on.
Program shifted_exchange(Rank self) {
  const Range all = self.vector();
  const Range body = all.part(0, all.count - 1);
  const Range received = self.id() == 1 ? all.part(1, all.count - 1) : body;
  co_yield send(1 - self.id(), body);
  co_yield recv_reduce(1 - self.id(), received);
}

class WrongProgram : public testing::TestWithParam<DataMode> {};

TEST_P(WrongProgram, MissingBlockIsNotVerified) {
  const RunResult result = run_plane(plane_job(5, 20000, DataType::float32, ReduceOp::sum),
                                     GetParam(), ring_without_last_step)
                               .result;
  EXPECT_EQ(result.verified, false);
  EXPECT_FALSE(result.ranks_identical);
  if (GetParam() == DataMode::full) {
    EXPECT_EQ(result.wrong, 20000);  // every block at one rank
  } else {
    EXPECT_GT(result.wrong, 2000);
  }
}

TEST_P(WrongProgram, DoubleCountIsNotVerified) {
  const RunResult result = run_plane(plane_job(3, 20000, DataType::float32, ReduceOp::sum, 1),
                                     GetParam(), server_that_counts_rank_1_twice)
                               .result;
  EXPECT_EQ(result.verified, false);
  EXPECT_TRUE(result.ranks_identical);
  EXPECT_EQ(result.wrong, 3 * result.checked_elements);
  EXPECT_GT(result.max_abs_error, 1.4);  // of an addend up to 1.5
}

TEST_P(WrongProgram, ReadingUnwrittenScratchNamesRankAndRange) {
  const auto reads_scratch = [](Rank self) -> Program {
    if (self.id() == 2) co_yield reduce(self.vector(), self.scratch(self.vector().count));
  };
  const Error error =
      error_of(plane_job(3, 50, DataType::float16, ReduceOp::sum), GetParam(), reads_scratch);
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.message(),
              HasSubstr("[0, 50) of scratch 1 of rank 2, which was never written"));
}

TEST_P(WrongProgram, LeavingTheVectorNamesRankAndRange) {
  const auto too_far = [](Rank self) -> Program {
    co_yield copy(self.vector().part(20, 31), self.vector().part(0, 31));
  };
  const Error error =
      error_of(plane_job(1, 50, DataType::int8, ReduceOp::sum), GetParam(), too_far);
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.message(), HasSubstr("[20, 51) of rank 0, but the vector has 50 elements"));
}

TEST_P(WrongProgram, NegativeRangeIsAnError) {
  const auto negative = [](Rank self) -> Program {
    co_yield copy(self.scratch(9).part(-4, 4), self.vector().part(0, 4));
  };
  EXPECT_THAT(
      error_of(plane_job(1, 50, DataType::int8, ReduceOp::sum), GetParam(), negative).message(),
      HasSubstr("[-4, 0) of scratch 1 of rank 0, which is no range"));
}

TEST_P(WrongProgram, LocalOperationOfUnequalLengthsIsAnError) {
  const auto unequal = [](Rank self) -> Program {
    co_yield copy(self.vector().part(0, 5), self.vector().part(10, 6));
  };
  EXPECT_THAT(
      error_of(plane_job(1, 50, DataType::int8, ReduceOp::sum), GetParam(), unequal).message(),
      HasSubstr("copies 6 elements over [0, 5) of rank 0"));
}

TEST_P(WrongProgram, ErrorBehindManyMessagesComesOutAndLeavesNothingBehind) {
  const auto fails_late = [](Rank self) -> Program {
    co_yield run(ring(self));
    if (self.id() == 0) co_yield copy(self.vector(), self.scratch(self.vector().count));
    co_yield run(ring(self));
    co_yield run(ring(self));
  };
  const Error error =
      error_of(plane_job(48, 480, DataType::float32, ReduceOp::max), GetParam(), fails_late);
  EXPECT_THAT(error.message(), HasSubstr("scratch 1 of rank 0"));
}

TEST_P(WrongProgram, ProgramThatThrowsUnwindsWhileDataIsStillMoving) {
  const auto throws_late = [](Rank self) -> Program {
    co_yield run(ring(self));
    if (self.id() == 3) throw run_error("rank 3 gives up");
    co_yield run(ring(self));
  };
  EXPECT_EQ(
      error_of(plane_job(48, 48000, DataType::float32, ReduceOp::max), GetParam(), throws_late)
          .message(),
      "rank 3 gives up");
}

INSTANTIATE_TEST_SUITE_P(Modes, WrongProgram, testing::Values(DataMode::full, DataMode::sampled),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(WrongProgramInFull, ShiftedReductionIsNotVerified) {
  EXPECT_EQ(run_plane(plane_job(2, 20000, DataType::float64, ReduceOp::sum), DataMode::full,
                      shifted_exchange)
                .result.verified,
            false);
}

TEST(WrongProgramInSampled, ShiftedReductionNamesRankAndRange) {
  const Error error = error_of(plane_job(2, 20000, DataType::float64, ReduceOp::sum),
                               DataMode::sampled, shifted_exchange);
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.message(), HasSubstr("reduces into [1, 20000) of rank 1"));
}

}  // namespace
}  // namespace reducelab
