#include "experiments/cli/compare_json.h"

#include <nlohmann/json.hpp>

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

}  // namespace

std::string compare_json(const ComparePlan& plan, const std::vector<ComparedPoint>& points,
                         const MeasuredLog* log, const MeasuredComparison* measured) {
  Json rows = Json::array();
  Json failed = Json::array();
  Json skipped = Json::array();
  for (const SkippedPoint& point : plan.skipped) {
    skipped.push_back(
        {{"algorithm", point.algorithm}, {"bytes", nullptr}, {"reason", point.reason}});
  }
  for (const ComparedPoint& point : points) {
    if (point.result) {
      rows.push_back(Json::parse(to_json(*point.result)));
    } else if (point.failure->code() == ErrorCode::usage) {
      skipped.push_back({{"algorithm", point.algorithm},
                         {"bytes", point.bytes},
                         {"reason", point.failure->what()}});
    } else {
      failed.push_back({{"algorithm", point.algorithm},
                        {"bytes", point.bytes},
                        {"error", Json::parse(point.failure->to_json())}});
    }
  }
  Json best = Json::array();
  for (const RunResult* result : best_results(plan, points)) {
    best.push_back({{"bytes", result->spec.bytes},
                    {"algorithm", result->spec.algorithm},
                    {"time_s", result->time_s},
                    {"algbw_GBps", result->algbw_GBps()},
                    {"busbw_GBps", result->busbw_GBps()}});
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
                  {"measured", held}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace reducelab
