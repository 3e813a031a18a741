#include "experiments/cli/compare_json.h"

#include <nlohmann/json.hpp>

#include "experiments/cli/point_export.h"
#include "experiments/cli/trial_wins.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const SeriesError& errors) {
  Json sizes = Json::array();
  for (const SizeError& size : errors.sizes) {
    sizes.push_back({{"bytes", size.bytes},
                     {"algorithm", size.series},
                     {"predicted_s", size.predicted_s},
                     {"measured_s", size.measured_s},
                     {"relative_error", size.relative_error}});
  }
  Json summary = nullptr;
  if (errors.summary) {
    summary = {{"median_abs_error", errors.summary->median},
               {"p90_abs_error", errors.summary->percentile_90},
               {"worst_abs_error", errors.summary->worst},
               {"worst_bytes", errors.summary->worst_bytes}};
  }
  return {{"sizes", sizes},
          {"summary", summary},
          {"only_predicted", errors.only_predicted},
          {"only_measured", errors.only_measured}};
}

Json suffers_least_json(const ComparePlan& plan, const std::vector<SimulatedPoint>& points) {
  Json all = Json::array();
  for (const SimulatedPoint* point : least_points(plan, points, standing_by_slowdown)) {
    if (point == nullptr) continue;
    all.push_back({{"bytes", point->spec.bytes},
                   {"algorithm", point->spec.algorithm},
                   {"slowdown", *point->slowdown()}});
  }
  return all;
}

Json trials_json(const ComparePlan& plan, const std::vector<SimulatedPoint>& points) {
  if (points.empty() || !points.front().trials) return nullptr;
  const std::vector<Wins> wins = wins_of(plan, points);
  Json all = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.push_back(Json::parse(trials_json(points[i], &wins[i])));
  }
  return all;
}

}  // namespace

std::string compare_json(const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
                         const MeasuredLog* log, const MeasuredComparison* measured) {
  Json rows = Json::array();
  Json failed = Json::array();
  Json skipped = Json::array();
  for (const SkippedPoint& point : plan.skipped) {
    skipped.push_back(
        {{"algorithm", point.algorithm}, {"bytes", nullptr}, {"reason", point.reason}});
  }
  for (const SimulatedPoint& point : points) {
    if (point.result) {
      rows.push_back(Json::parse(point_json(point)));
    } else if (point.failure->code() == ErrorCode::usage) {
      skipped.push_back({{"algorithm", point.spec.algorithm},
                         {"bytes", point.spec.bytes},
                         {"reason", point.failure->what()}});
    } else {
      failed.push_back({{"algorithm", point.spec.algorithm},
                        {"bytes", point.spec.bytes},
                        {"error", Json::parse(point.failure->to_json())}});
    }
  }
  Json best = Json::array();
  for (const SimulatedPoint* point : best_points(plan, points)) {
    const RunResult result = point->typical();
    best.push_back({{"bytes", result.spec.bytes},
                    {"algorithm", result.spec.algorithm},
                    {"time_s", result.time_s},
                    {"algbw_GBps", result.algbw_GBps()},
                    {"busbw_GBps", result.busbw_GBps()}});
  }
  Json held = nullptr;
  if (log != nullptr && measured != nullptr) {
    held = {{"file", log->file},
            {"ranks", log->run.ranks},
            {"software", log->run.software},
            {"warnings", measured->warnings},
            {"algorithm", measured->algorithm.empty() ? Json(nullptr) : Json(measured->algorithm)},
            {"of_algorithm",
             measured->algorithm.empty() ? Json(nullptr) : errors_json(measured->error.algorithm)},
            {"of_best", errors_json(measured->error.best_per_size)}};
  }
  const Json json{{"schema", "reducelab.compare/1"},
                  {"rows", rows},
                  {"best", best},
                  {"failed", failed},
                  {"skipped", skipped},
                  {"suffers_least", suffers_least_json(plan, points)},
                  {"trials", trials_json(plan, points)},
                  {"measured", held}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace reducelab
