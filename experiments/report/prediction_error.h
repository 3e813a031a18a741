#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/importers/measured_run.h"

namespace reducelab {

/// The predicted time of one size.
struct PredictedPoint {
  std::int64_t bytes = 0;
  double time_s = 0;
};

/// The predictions of one algorithm, at most one per size.
struct PredictedSeries {
  std::string name;
  std::vector<PredictedPoint> points;
};

/// Prediction and measurement of one size.
struct SizeError {
  std::int64_t bytes = 0;
  std::string series;  ///< the algorithm that was predicted
  double predicted_s = 0;
  double measured_s = 0;
  double relative_error = 0;  ///< (predicted - measured) / measured
};

/// Absolute relative errors over the compared sizes.
struct ErrorSummary {
  double median = 0;
  double percentile_90 = 0;  ///< nearest rank: the smallest that 90 % of the sizes do not exceed
  double worst = 0;
  std::int64_t worst_bytes = 0;
};

/// One prediction held against the measurement; nothing is interpolated.
struct SeriesError {
  std::vector<SizeError> sizes;              ///< in both sets, by size
  std::optional<ErrorSummary> summary;       ///< nothing if no size is in both
  std::vector<std::int64_t> only_predicted;  ///< not compared
  std::vector<std::int64_t> only_measured;   ///< not compared
};

struct PredictionError {
  SeriesError algorithm;      ///< the one asked for
  SeriesError best_per_size;  ///< at each size the series with the least predicted time
};

/// Compares `algorithm` and the best of all series with the out-of-place times of the run (in-place
/// where there are none; the median where a size was measured more than once; size 0 ignored). An
/// unknown algorithm, or a run that mixes data types or reductions, is a usage Error.
PredictionError prediction_error(std::span<const PredictedSeries> series,
                                 std::string_view algorithm, const MeasuredRun& measured);

}  // namespace reducelab
