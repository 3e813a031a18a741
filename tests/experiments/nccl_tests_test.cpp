#include "experiments/importers/nccl_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"

namespace reducelab {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<MeasuredRun> parse_fixture(const std::string& name) {
  return parse_nccl_tests_log(read_text_file(std::filesystem::path(FIXTURES) / name), name);
}

MeasuredRun only_run(const std::string& name) {
  auto runs = parse_fixture(name);
  EXPECT_THAT(runs, SizeIs(1));
  return runs.at(0);
}

TEST(NcclTests, ModernLayoutIsReadCompletely) {
  const MeasuredRun run = only_run("modern.txt");
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 2);
  EXPECT_EQ(run.software, "NCCL 2.27.7");
  EXPECT_EQ(run.footer_average_busbw, 52.735);
  EXPECT_FALSE(run.aborted);
  EXPECT_EQ(run.skipped_noise_lines, 0);
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_THAT(run.notes, IsEmpty());
  ASSERT_THAT(run.rows, SizeIs(4));
  const MeasuredRow& row = run.rows[2];
  EXPECT_EQ(row.bytes, 1048576);
  EXPECT_EQ(row.count, 262144);
  EXPECT_EQ(row.type, "float");
  EXPECT_EQ(row.redop, "sum");
  EXPECT_EQ(row.root, -1);
  EXPECT_EQ(row.line, 16);
  EXPECT_DOUBLE_EQ(row.out_of_place->time_s, 55.5e-6);
  EXPECT_DOUBLE_EQ(row.out_of_place->algbw_GBps, 18.89);
  EXPECT_DOUBLE_EQ(row.out_of_place->busbw_GBps, 28.34);
  EXPECT_EQ(row.out_of_place->wrong, 0);
  EXPECT_DOUBLE_EQ(row.in_place->time_s, 54.25e-6);
}

TEST(NcclTests, ElevenColumnLayoutWithErrorColumnZeroSizesAndNoise) {
  const MeasuredRun run = only_run("old_11_columns.txt");
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.ranks, 8);
  EXPECT_EQ(run.nodes, 1);
  EXPECT_EQ(run.software, "NCCL 2.8.4+cuda11.1");
  EXPECT_EQ(run.skipped_noise_lines, 1);
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_THAT(run.notes, Contains(HasSubstr("line 18: size 0")));
  ASSERT_THAT(run.rows, SizeIs(3));
  EXPECT_FALSE(run.rows[0].usable_for_fits());
  EXPECT_TRUE(run.rows[1].usable_for_fits());
  EXPECT_EQ(run.rows[1].out_of_place->wrong, std::nullopt);  // N/A
  EXPECT_EQ(run.rows[2].out_of_place->wrong, std::nullopt);  // 5e-07 is a magnitude, no count
  EXPECT_DOUBLE_EQ(run.rows[2].in_place->time_s, 2095.5e-6);
}

TEST(NcclTests, LayoutOf2017HasMilliseconds) {
  const MeasuredRun run = only_run("milliseconds_2017.txt");
  EXPECT_EQ(run.ranks, 4);
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.footer_average_busbw, 9.4525);
  ASSERT_THAT(run.rows, SizeIs(2));
  EXPECT_DOUBLE_EQ(run.rows[0].out_of_place->time_s, 250e-6);
  EXPECT_DOUBLE_EQ(run.rows[1].in_place->time_s, 8e-3);
}

TEST(NcclTests, OpenMpiTagsInsideARowDatesAndCrLfAreRemoved) {
  const MeasuredRun run = only_run("tagged_fragments.txt");
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 2);
  EXPECT_EQ(run.software, "NCCL 2.20.3+cuda12.3");
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.skipped_noise_lines, 0);
  ASSERT_THAT(run.rows, SizeIs(2));
  EXPECT_DOUBLE_EQ(run.rows[0].out_of_place->time_s, 85.14e-6);
  EXPECT_DOUBLE_EQ(run.rows[0].in_place->time_s, 62.82e-6);
  EXPECT_DOUBLE_EQ(run.rows[1].in_place->busbw_GBps, 100.87);
}

TEST(NcclTests, AbortedRunKeepsItsRowsAndCountsWhatIsLost) {
  const MeasuredRun run = only_run("noisy_aborted.txt");
  EXPECT_TRUE(run.aborted);
  EXPECT_THAT(run.abort_reason, HasSubstr("node002: Test NCCL failure common.cu:1012"));
  EXPECT_EQ(run.skipped_noise_lines, 3);
  EXPECT_THAT(run.warnings, Contains(HasSubstr("line 16: the test was aborted")));
  EXPECT_THAT(run.warnings, Contains(HasSubstr("1 of the skipped lines is a piece of a row")));
  EXPECT_THAT(run.warnings, Contains(HasSubstr("line 15: the second half is broken off")));
  EXPECT_THAT(run.warnings, Contains(HasSubstr("ends before the footer")));
  ASSERT_THAT(run.rows, SizeIs(2));
  EXPECT_EQ(run.rows[0].bytes, 2048);
  EXPECT_TRUE(run.rows[0].in_place.has_value());
  EXPECT_EQ(run.rows[1].bytes, 4096);
  EXPECT_FALSE(run.rows[1].in_place.has_value());
}

TEST(NcclTests, TestsInOneFileBecomeRuns) {
  const auto runs = parse_fixture("two_tests_wide.txt");
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].collective, "all_reduce");
  EXPECT_EQ(runs[1].collective, "all_gather");
  EXPECT_THAT(runs[0].rows, SizeIs(2));
  EXPECT_THAT(runs[1].rows, SizeIs(2));
  EXPECT_EQ(runs[1].ranks, 8);
  EXPECT_THAT(runs[0].warnings, IsEmpty());
  EXPECT_THAT(runs[1].warnings, IsEmpty());
}

TEST(NcclTests, RcclHeaderLinesAreNoNoise) {
  const MeasuredRun run = only_run("rccl.txt");
  EXPECT_EQ(run.software, "RCCL 2.18.3-HEAD:2f6d59e");
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.nodes, 1);
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.skipped_noise_lines, 0);
  EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(NcclTests, ShippedH100TableIsCompleteAndConsistent) {
  const std::string name = "h100-4n32r-ib400-nccl2262.txt";
  const auto runs =
      parse_nccl_tests_log(read_text_file(std::filesystem::path(MEASURED) / name), name);
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].collective, "all_reduce");
  EXPECT_EQ(runs[0].ranks, 32);
  EXPECT_EQ(runs[0].nodes, 4);
  EXPECT_EQ(runs[0].software, "NCCL 2.26.2+cuda12.8");
  EXPECT_THAT(runs[0].rows, SizeIs(32));
  EXPECT_THAT(runs[0].warnings, IsEmpty());
  EXPECT_EQ(runs[0].footer_average_busbw, 107.51);
}

}  // namespace
}  // namespace reducelab
