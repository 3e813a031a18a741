#include <gmock/gmock.h>

#include "core/error.h"
#include "sim/data_plane/memory_budget.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

template <class Function>
Error error_from(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::bug, "no error"};
}

TEST(DataModeChoice, SmallVectorsAreKeptInFull) {
  EXPECT_EQ(choose_data_mode(plane_job(4, 1000, DataType::float32, ReduceOp::sum)), DataMode::full);
  EXPECT_EQ(choose_data_mode(plane_job(4, 0, DataType::float32, ReduceOp::sum)), DataMode::full);
}

TEST(DataModeChoice, LargeVectorsAreSampled) {
  EXPECT_EQ(choose_data_mode(plane_job(257, 1 << 18, DataType::float32, ReduceOp::sum)),
            DataMode::sampled);
  EXPECT_EQ(choose_data_mode(plane_job(200, 1 << 18, DataType::float32, ReduceOp::sum, 57)),
            DataMode::sampled);
}

TEST(DataModeChoice, WhatWasAskedForIsKept) {
  Job job = plane_job(4, 1000, DataType::float32, ReduceOp::sum);
  for (const DataMode mode : {DataMode::full, DataMode::sampled, DataMode::none}) {
    job.spec.data = mode;
    EXPECT_EQ(choose_data_mode(job), mode);
  }
}

TEST(DataModeChoice, FullDataThatCannotFitIsRefusedWithTheNumbers) {
  Job job = plane_job(1024, std::int64_t{1} << 40, DataType::float32, ReduceOp::sum);
  job.spec.data = DataMode::full;
  for (const Error& error : {error_from([&] { choose_data_mode(job); }),
                             error_from([&] { make_data_plane(job, DataMode::full); })}) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("4.0 PiB"));
    EXPECT_THAT(error.what(), HasSubstr("1024 participants"));
    EXPECT_THAT(error.what(), HasSubstr("4.0 TiB each"));
    EXPECT_THAT(error.what(), HasSubstr("--data sampled"));
  }
}

TEST(DataModeChoice, NoneGivesNoDataPlane) {
  EXPECT_EQ(make_data_plane(plane_job(4, 10, DataType::float32, ReduceOp::sum), DataMode::none),
            nullptr);
}

TEST(ReducerChoice, CudaIsUnsupportedAndOthersAreUnknown) {
  Job job = plane_job(4, 10, DataType::float32, ReduceOp::sum);
  job.spec.reducer = "cuda";
  const Error cuda = error_from([&] { make_data_plane(job, DataMode::full); });
  EXPECT_EQ(cuda.code(), ErrorCode::unsupported);
  EXPECT_THAT(cuda.message(), HasSubstr("no CUDA reducer"));
  job.spec.reducer = "cpus";
  const Error unknown = error_from([&] { make_data_plane(job, DataMode::none); });
  EXPECT_EQ(unknown.code(), ErrorCode::usage);
  EXPECT_THAT(unknown.message(), HasSubstr("did you mean \"cpu\"?"));
  job.spec.reducer = "auto";
  EXPECT_NE(make_data_plane(job, DataMode::full), nullptr);
}

TEST(MemoryBudget, RefusesTheAllocationThatExceedsIt) {
  MemoryBudget budget(3 << 20);
  budget.take(1 << 20);
  budget.take(2 << 20);
  const Error error = error_from([&] { budget.take(1); });
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("3.0 MiB in use"));
  EXPECT_THAT(error.what(), HasSubstr("--data sampled"));
  budget.give_back(1 << 20);
  EXPECT_NO_THROW(budget.take(1 << 20));
}

TEST(AvailableMemory, IsMoreThanNothingAndLessThanAPebibyte) {
  EXPECT_GT(available_memory_bytes(), 1 << 20);
  EXPECT_LT(available_memory_bytes(), std::int64_t{1} << 50);
}

TEST(RoundMemory, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(round_memory(0), "0 B");
  EXPECT_EQ(round_memory(1023), "1023 B");
  EXPECT_EQ(round_memory(1536), "1.5 KiB");
  EXPECT_EQ(round_memory(3.0 * 1024 * 1024 * 1024), "3.0 GiB");
}

}  // namespace
}  // namespace reducelab
