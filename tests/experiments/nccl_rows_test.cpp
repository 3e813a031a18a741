#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/importers/nccl_tests.h"

namespace reducelab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kHeader =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    "  "
    "algbw   busbw #wrong\n";
/// Four ranks: busbw = 1.5 algbw.
const std::string kRow =
    "  1073741824     268435456     float     sum      -1  9001.50  119.28  178.93      0  8990.25 "
    " "
    "119.43  179.15      0\n";

std::string devices(int ranks) {
  std::string text = "# Using devices\n";
  for (int r = 0; r < ranks; ++r) {
    text += "#  Rank " + std::to_string(r) + " Group  0 Pid 1 on node001 device 0 [0x07] GPU\n";
  }
  return text;
}

MeasuredRun parse_one(const std::string& text) {
  auto runs = parse_nccl_tests_log(text, "log.txt");
  EXPECT_THAT(runs, SizeIs(1));
  return runs.at(0);
}

TEST(NcclRows, RanksAndCollectiveFollowFromTheFactorWithoutADeviceList) {
  const MeasuredRun run = parse_one(kHeader + kRow);
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 0);
}

TEST(NcclRows, RanksStayUnknownWhenRoundingHidesThem) {
  // 4.66 -> 9.25 over 128 ranks: 1.985 to two digits is 100 to 200 ranks.
  const MeasuredRun run = parse_one(
      kHeader +
      "  4294967296    1073741824     float     sum      -1   921631    4.66    9.25      0\n");
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.ranks, 0);
  EXPECT_THAT(run.warnings, Contains(HasSubstr("does not show the number of ranks")));
}

TEST(NcclRows, FactorNamesTheOtherCollectives) {
  const auto with = [](const std::string& redop_root, const std::string& busbw) {
    return parse_one(devices(4) + kHeader + "  1073741824  1024  float  " + redop_root +
                     "  9001.50  119.28  " + busbw + "  0\n")
        .collective;
  };
  EXPECT_EQ(with("sum -1", "178.93"), "all_reduce");
  EXPECT_EQ(with("sum -1", "89.46"), "reduce_scatter");
  EXPECT_EQ(with("none -1", "89.46"), "all_gather");
  EXPECT_EQ(with("-1", "89.46"), "all_gather");  // older versions leave the column empty
  EXPECT_EQ(with("sum 0", "119.28"), "reduce");
  EXPECT_EQ(with("none 0", "119.28"), "broadcast");
  EXPECT_EQ(with("sum -1", "100.00"), "");
}

TEST(NcclRows, OneHalfIsOutOfPlace) {
  const MeasuredRun run =
      parse_one(devices(4) +
                "#       size         count      type   redop    root     time   algbw   busbw\n"
                "  1073741824     268435456     float     sum      -1  9001.50  119.28  178.93\n");
  EXPECT_DOUBLE_EQ(run.rows[0].out_of_place->busbw_GBps, 178.93);
  EXPECT_FALSE(run.rows[0].in_place.has_value());
  EXPECT_EQ(run.rows[0].out_of_place->wrong, std::nullopt);
}

TEST(NcclRows, BlankFirstHalfLeavesTheRowInPlace) {
  const MeasuredRun run =
      parse_one(devices(4) + kHeader + "  1073741824     268435456     float     sum      -1" +
                std::string(32, ' ') + "  9001.50  119.28  178.93      0\n");
  EXPECT_FALSE(run.rows[0].out_of_place.has_value());
  EXPECT_DOUBLE_EQ(run.rows[0].in_place->busbw_GBps, 178.93);
}

TEST(NcclRows, TimestampsHostTimesAndPerIterationColumnsFollowTheHeader) {
  const MeasuredRun stamped = parse_one(
      devices(4) +
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp\n"
      "1073741824 268435456 float sum -1 9001.50 119.28 178.93 0 8990.25 119.43 179.15 0 "
      "2025-01-31 12:00:00\n");
  EXPECT_DOUBLE_EQ(stamped.rows[0].in_place->busbw_GBps, 179.15);
  const MeasuredRun host = parse_one(
      devices(4) +
      "# size count type redop root cputime algbw busbw #wrong cputime algbw busbw #wrong\n"
      "1073741824 268435456 float sum -1 9001.50 119.28 178.93 0 8990.25 119.43 179.15 0\n");
  EXPECT_THAT(host.notes, Contains(HasSubstr("host times")));
  const MeasuredRun iterations = parse_one(
      devices(4) +
      "# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% "
      "time algbw busbw #wrong i_min i_max i_p99 i_cv%\n"
      "1073741824 268435456 float sum -1 9001.50 119.28 178.93 0 8990.0 9100.0 9100.0 0.5 8990.25 "
      "119.43 179.15 0 8980.0 9000.0 9000.0 0.2\n");
  EXPECT_DOUBLE_EQ(iterations.rows[0].in_place->time_s, 8990.25e-6);
  EXPECT_DOUBLE_EQ(iterations.rows[0].in_place->busbw_GBps, 179.15);
}

TEST(NcclRows, RowsPastedWithoutAnyHeaderAreRead) {
  const MeasuredRun run = parse_one(
      kRow +
      "  1073741824     268435456     float     sum  9001.50  119.28  178.93  9001.50  119.28  "
      "178.93\n");
  ASSERT_THAT(run.rows, SizeIs(2));
  EXPECT_DOUBLE_EQ(run.rows[1].in_place->time_s, 9001.5e-6);
}

TEST(NcclRows, LauncherPrefixesOfAllKindsAreRemoved) {
  for (const std::string prefix :
       {"[1,0]<stdout>:", "0: ", "  0: ", "[0] ",
        "Thu Jul 18 15:41:05 2024<stdout>:", "Thu Jul 18 15:41:05 2024[1,0]<stdout>:",
        "[prterun-node001-77@1,0]<stdout>:", "node001: ", "[1,0]<stdout>: 0: "}) {
    const MeasuredRun run = parse_one(prefix + "# Using devices\n" + prefix +
                                      "#  Rank  0 Pid 1 on node001 device 0 [0x07]\n" + prefix +
                                      kHeader + prefix + kRow);
    EXPECT_THAT(run.rows, SizeIs(1)) << prefix;
    EXPECT_EQ(run.nodes, 1) << prefix;
    EXPECT_EQ(run.skipped_noise_lines, 0) << prefix;
  }
}

TEST(NcclRows, RatesThatContradictTheTimeAreNamedByLine) {
  const MeasuredRun algbw =
      parse_one(devices(4) + kHeader +
                "  1073741824  268435456  float  sum  -1  9001.50  119.30  178.95  0\n");
  EXPECT_THAT(algbw.warnings, Contains(HasSubstr("line 7: algbw is not size/time")));
  const MeasuredRun busbw =
      parse_one("# Collective test starting: all_reduce_perf\n" + devices(4) + kHeader +
                "  1073741824  268435456  float  sum  -1  9001.50  119.28  178.99  0\n");
  EXPECT_THAT(busbw.warnings,
              Contains(HasSubstr("line 8: busbw is not algbw x 1.5 (all_reduce over 4 ranks)")));
}

TEST(NcclRows, FooterThatIsNotTheMeanOfTheRowsIsAWarning) {
  const auto warnings = [](const std::string& footer) {
    return parse_one(devices(4) + kHeader + kRow + "# Avg bus bandwidth    : " + footer + "\n")
        .warnings;
  };
  EXPECT_THAT(warnings("179.04"), IsEmpty());  // (178.93 + 179.15) / 2
  EXPECT_THAT(warnings("179.06 GB/s"),
              ElementsAre("the footer says an average busbw of 179.06 GB/s, but the rows have "
                          "179.04: rows may be missing or edited"));
}

TEST(NcclRows, WrongElementsAndFailedValidationAreWarnings) {
  const MeasuredRun run =
      parse_one(devices(4) + kHeader +
                "  1073741824  268435456  float  sum  -1  9001.50  119.28  178.93  3232\n"
                "# Out of bounds values : 4 FAILED\n");
  EXPECT_EQ(run.rows[0].out_of_place->wrong, 3232);
  EXPECT_THAT(run.warnings, Contains(HasSubstr("line 7: the test found wrong elements")));
  EXPECT_THAT(run.warnings, Contains("line 8: # Out of bounds values : 4 FAILED"));
}

TEST(NcclRows, ImpossibleNumbersMakeNoRow) {
  const std::string good = "1073741824 268435456 float sum -1 9001.50 119.28 178.93 0\n";
  for (const std::string bad : {
           "-8 2 float sum -1 9001.50 119.28 178.93 0\n",
           "99999999999999999999 2 float sum -1 9001.50 119.28 178.93 0\n",
           "8 2 float sum -1 nan 119.28 178.93 0\n",
           "8 2 float sum -1 inf 119.28 178.93 0\n",
           "8 2 float sum -1 -5.0 0.00 0.00 0\n",
           "8 2 float sum -1 1e400 0.00 0.00 0\n",
           "8 2 float sum -1 1e300 0.00 0.00 0\n",
           "8 2 float sum -1 0.00 0.00 0.00 0\n",
           "8 2 float sum -1 5,25 0.00 0.00 0\n",
           "8 2 float sum -1 5.25 0.00 0.00 0.5\n",
           "8 2 float sum 7.5 5.25 0.00 0.00 0\n",
           "8 2 float sum -1 5.25 0.00\n",
       }) {
    const MeasuredRun run = parse_one(devices(4) + kHeader + bad + good);
    EXPECT_THAT(run.rows, SizeIs(1)) << bad;
    EXPECT_EQ(run.skipped_noise_lines, 1) << bad;
  }
}

TEST(NcclRows, SingleProcessTestsRunningAtOnceAreRecognised) {
  const MeasuredRun run = parse_one(devices(1) + devices(1) + kHeader + kRow);
  EXPECT_THAT(run.warnings, Contains(HasSubstr("built without MPI")));
}

TEST(NcclRows, MemoryLimitIsKeptAsANote) {
  const MeasuredRun run = parse_one("# Reducing maxBytes to 1073741824 due to memory limitation\n" +
                                    devices(4) + kHeader + kRow);
  EXPECT_THAT(run.notes, Contains("line 1: # Reducing maxBytes to 1073741824 due to memory "
                                  "limitation"));
}

}  // namespace
}  // namespace reducelab
