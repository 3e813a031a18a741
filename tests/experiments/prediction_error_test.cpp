#include "experiments/report/prediction_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

MeasuredRow row(std::int64_t bytes, double time_s) {
  MeasuredRow row;
  row.bytes = bytes;
  row.type = "float";
  row.redop = "sum";
  row.out_of_place = MeasuredRow::Half{time_s, 0, 0, std::nullopt};
  row.in_place = MeasuredRow::Half{99, 0, 0, std::nullopt};
  return row;
}

MeasuredRun run_of(std::vector<MeasuredRow> rows) {
  MeasuredRun run;
  run.rows = std::move(rows);
  return run;
}

std::string error_of(const std::vector<PredictedSeries>& series, const std::string& name,
                     const MeasuredRun& run) {
  try {
    prediction_error(series, name, run);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(PredictionError, IsSignedPerSizeAndBestTakesTheLeastPrediction) {
  const std::vector<PredictedSeries> series{{"ring", {{8, 3.0}, {16, 3.0}, {32, 12.0}}},
                                            {"tree", {{8, 1.5}, {16, 4.0}, {32, 12.0}}}};
  const auto error =
      prediction_error(series, "ring", run_of({row(8, 2.0), row(16, 4.0), row(32, 8.0)}));
  ASSERT_THAT(error.algorithm.sizes, SizeIs(3));
  EXPECT_EQ(error.algorithm.sizes[0].bytes, 8);
  EXPECT_EQ(error.algorithm.sizes[0].predicted_s, 3.0);
  EXPECT_EQ(error.algorithm.sizes[0].measured_s, 2.0);
  EXPECT_DOUBLE_EQ(error.algorithm.sizes[0].relative_error, 0.5);
  EXPECT_DOUBLE_EQ(error.algorithm.sizes[1].relative_error, -0.25);
  EXPECT_DOUBLE_EQ(error.algorithm.summary->median, 0.5);
  EXPECT_DOUBLE_EQ(error.algorithm.summary->worst, 0.5);
  EXPECT_EQ(error.algorithm.summary->worst_bytes, 8);
  EXPECT_EQ(error.best_per_size.sizes[0].series, "tree");
  EXPECT_EQ(error.best_per_size.sizes[1].series, "ring");
  EXPECT_EQ(error.best_per_size.sizes[2].series, "ring");  // a tie: the first series
  EXPECT_DOUBLE_EQ(error.best_per_size.summary->median, 0.25);
}

TEST(PredictionError, Percentile90IsTheNearestRank) {
  std::vector<MeasuredRow> rows;
  PredictedSeries ring{"ring", {}};
  for (int i = 1; i <= 20; ++i) {  // errors of 1 %, 2 % ... 20 %
    rows.push_back(row(i, 100.0));
    ring.points.push_back({i, 100.0 + i});
  }
  const auto error = prediction_error(std::vector{ring}, "ring", run_of(rows));
  EXPECT_DOUBLE_EQ(error.algorithm.summary->median, 0.105);
  EXPECT_DOUBLE_EQ(error.algorithm.summary->percentile_90, 0.18);
  EXPECT_DOUBLE_EQ(error.algorithm.summary->worst, 0.20);
  EXPECT_EQ(error.algorithm.summary->worst_bytes, 20);
}

TEST(PredictionError, SizesInOneSetOnlyAreListedAndNeverInterpolated) {
  const std::vector<PredictedSeries> series{{"ring", {{8, 1.0}, {32, 1.0}}}, {"tree", {{16, 1.0}}}};
  const auto error = prediction_error(series, "ring", run_of({row(16, 1.0), row(32, 1.0)}));
  EXPECT_THAT(error.algorithm.sizes, SizeIs(1));
  EXPECT_THAT(error.algorithm.only_predicted, ElementsAre(8));
  EXPECT_THAT(error.algorithm.only_measured, ElementsAre(16));
  EXPECT_THAT(error.best_per_size.sizes, SizeIs(2));
  EXPECT_THAT(error.best_per_size.only_measured, IsEmpty());
}

TEST(PredictionError, NoCommonSizeHasNoSummary) {
  const std::vector<PredictedSeries> series{{"ring", {{8, 1.0}}}};
  const auto error = prediction_error(series, "ring", run_of({row(16, 1.0)}));
  EXPECT_FALSE(error.algorithm.summary.has_value());
  EXPECT_THAT(error.algorithm.only_measured, ElementsAre(16));
}

TEST(PredictionError, InPlaceStandsInRepeatsTakeTheMedianAndSizeZeroIsIgnored) {
  MeasuredRow in_place_only = row(8, 0);
  in_place_only.out_of_place.reset();
  in_place_only.in_place->time_s = 4.0;
  const std::vector<PredictedSeries> series{{"ring", {{0, 1.0}, {8, 2.0}, {16, 1.0}}}};
  const auto error = prediction_error(
      series, "ring",
      run_of({row(0, 0.3), in_place_only, row(16, 1.0), row(16, 50.0), row(16, 2.0)}));
  ASSERT_THAT(error.algorithm.sizes, SizeIs(2));
  EXPECT_DOUBLE_EQ(error.algorithm.sizes[0].relative_error, -0.5);
  EXPECT_DOUBLE_EQ(error.algorithm.sizes[1].measured_s, 2.0);
  EXPECT_THAT(error.algorithm.only_predicted, IsEmpty());
}

TEST(PredictionError, BadInputIsNamed) {
  const std::vector<PredictedSeries> series{{"ring", {{8, 1.0}}}};
  EXPECT_THAT(error_of(series, "rign", run_of({row(8, 1.0)})), HasSubstr("did you mean \"ring\"?"));
  MeasuredRow other = row(8, 1.0);
  other.type = "half";
  EXPECT_THAT(error_of(series, "ring", run_of({row(8, 1.0), other})), HasSubstr("mixes float sum"));
  EXPECT_THAT(error_of({{"ring", {{8, 1.0}, {8, 2.0}}}}, "ring", run_of({row(8, 1.0)})),
              HasSubstr("two predictions for 8 bytes"));
  EXPECT_THAT(error_of({{"ring", {{8, 0.0}}}}, "ring", run_of({row(8, 1.0)})),
              HasSubstr("predicted to take 0 s"));
}

}  // namespace
}  // namespace reducelab
