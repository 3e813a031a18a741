#include "experiments/report/prediction_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {
namespace {

struct Prediction {
  std::string_view series;
  double time_s = 0;
};
using PredictionBySize = std::map<std::int64_t, Prediction>;

/// `values` must not be empty.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::map<std::int64_t, double> measured_times(const MeasuredRun& run) {
  std::map<std::int64_t, std::vector<double>> all;
  const MeasuredRow* first = nullptr;
  for (const MeasuredRow& row : run.rows) {
    if (first == nullptr) first = &row;
    if (row.type != first->type || row.redop != first->redop) {
      throw usage_error("the measured run mixes {} {} (line {}) and {} {} (line {})", first->type,
                        first->redop, first->line, row.type, row.redop, row.line)
          .note("compare one data type and one reduction at a time");
    }
    const auto& half = row.out_of_place ? row.out_of_place : row.in_place;
    if (row.usable_for_fits() && half) all[row.bytes].push_back(half->time_s);
  }
  std::map<std::int64_t, double> times;
  for (const auto& [bytes, samples] : all) times[bytes] = median(samples);
  return times;
}

PredictionBySize by_size(const PredictedSeries& series) {
  PredictionBySize predictions;
  for (const PredictedPoint& point : series.points) {
    if (point.bytes <= 0) continue;
    if (!std::isfinite(point.time_s) || point.time_s <= 0) {
      throw Error(ErrorCode::bug, fmt::format("{} is predicted to take {} s for {} bytes",
                                              series.name, point.time_s, point.bytes));
    }
    if (!predictions.emplace(point.bytes, Prediction{series.name, point.time_s}).second) {
      throw Error(ErrorCode::bug,
                  fmt::format("{} has two predictions for {} bytes", series.name, point.bytes));
    }
  }
  return predictions;
}

ErrorSummary summarize(const std::vector<SizeError>& sizes) {
  std::vector<double> errors;
  ErrorSummary summary;
  for (const SizeError& size : sizes) {
    errors.push_back(std::abs(size.relative_error));
    if (errors.size() == 1 || errors.back() > summary.worst) {
      summary.worst = errors.back();
      summary.worst_bytes = size.bytes;
    }
  }
  std::sort(errors.begin(), errors.end());
  summary.median = median(errors);
  summary.percentile_90 = errors[(errors.size() * 9 + 9) / 10 - 1];
  return summary;
}

SeriesError compare(const PredictionBySize& predictions,
                    const std::map<std::int64_t, double>& measured) {
  SeriesError result;
  for (const auto& [bytes, prediction] : predictions) {
    const auto found = measured.find(bytes);
    if (found == measured.end()) {
      result.only_predicted.push_back(bytes);
      continue;
    }
    const double measured_s = found->second;
    result.sizes.push_back({bytes, std::string(prediction.series), prediction.time_s, measured_s,
                            (prediction.time_s - measured_s) / measured_s});
  }
  for (const auto& [bytes, time_s] : measured) {
    if (!predictions.contains(bytes)) result.only_measured.push_back(bytes);
  }
  if (!result.sizes.empty()) result.summary = summarize(result.sizes);
  return result;
}

}  // namespace

PredictionError prediction_error(std::span<const PredictedSeries> series,
                                 std::string_view algorithm, const MeasuredRun& measured) {
  const std::map<std::int64_t, double> times = measured_times(measured);
  std::optional<PredictionBySize> asked;
  PredictionBySize best;
  std::vector<std::string_view> names;
  for (const PredictedSeries& candidate : series) {
    names.push_back(candidate.name);
    const PredictionBySize predictions = by_size(candidate);
    if (candidate.name == algorithm) asked = predictions;
    for (const auto& [bytes, prediction] : predictions) {
      const auto [place, is_new] = best.emplace(bytes, prediction);
      if (!is_new && prediction.time_s < place->second.time_s) place->second = prediction;
    }
  }
  if (!asked) throw unknown_name("predicted algorithm", algorithm, names);
  return {compare(*asked, times), compare(best, times)};
}

}  // namespace reducelab
