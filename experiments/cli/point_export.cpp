#include "experiments/cli/point_export.h"

#include <nlohmann/json.hpp>

#include "experiments/cli/trial_figures.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json estimate_json(const Estimate& estimate) {
  const auto& interval = estimate.interval;
  return {{"value_s", estimate.value_s},
          {"low_s", interval ? Json(interval->low_s) : Json(nullptr)},
          {"high_s", interval ? Json(interval->high_s) : Json(nullptr)}};
}

/// Digits that reproduce a double, as JSON has them.
std::string exact(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

}  // namespace

std::string point_json(const SimulatedPoint& point) {
  Json json = Json::parse(to_json(point.result.value()));
  json["healthy_s"] = or_null(point.healthy_s());
  json["slowdown"] = or_null(point.slowdown());
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string trials_json(const SimulatedPoint& point, const Wins* wins) {
  const Trials& trials = point.trials.value();
  Json times_s = Json::array();
  for (const auto& time_s : trials.times_s) times_s.push_back(or_null(time_s));
  Json failed = Json::array();
  for (const FailedTrial& trial : trials.failed) {
    failed.push_back({{"seed", trial.seed}, {"error", Json::parse(trial.error.to_json())}});
  }
  Json json{{"algorithm", point.spec.algorithm},
            {"bytes", point.spec.bytes},
            {"count", trials.times_s.size()},
            {"first_seed", trials.first_seed},
            {"confidence", kConfidence}};
  for (const TrialFigure& figure : kTrialFigures) {
    json[figure.name] =
        trials.statistics ? estimate_json(*trials.statistics.*figure.estimate) : Json(nullptr);
  }
  json["least_s"] = trials.statistics ? Json(trials.statistics->least_s) : Json(nullptr);
  json["most_s"] = trials.statistics ? Json(trials.statistics->most_s) : Json(nullptr);
  if (wins != nullptr) {
    json["wins"] = wins->alone;
    json["shared_wins"] = wins->shared;
  }
  json["times_s"] = times_s;
  json["failed"] = failed;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string trials_csv_header() {
  std::vector<std::string> cells{"algorithm", "collective", "bytes",   "dtype",      "op",
                                 "topology",  "engine",     "profile", "ranks",      "first_seed",
                                 "trials",    "failed",     "wins",    "shared_wins"};
  for (const TrialFigure& figure : kTrialFigures) {
    for (const char* part : {"s", "low_s", "high_s"}) {
      cells.push_back(fmt::format("{}_{}", figure.name, part));
    }
  }
  for (const char* name : {"least_s", "most_s", "healthy_s", "slowdown"}) cells.emplace_back(name);
  return csv_line(cells);
}

std::string trials_csv_row(const SimulatedPoint& point, const Wins* wins) {
  const Trials& trials = point.trials.value();
  // The result knows which engine and how many ranks were meant.
  const RunSpec& spec = point.result ? point.result->spec : point.spec;
  std::vector<std::string> cells{spec.algorithm,
                                 spec.collective,
                                 std::to_string(spec.bytes),
                                 std::string(name_of(spec.type)),
                                 std::string(name_of(spec.op)),
                                 spec.topology,
                                 spec.engine,
                                 spec.profile,
                                 point.result ? std::to_string(point.result->ranks) : "",
                                 std::to_string(trials.first_seed),
                                 std::to_string(trials.times_s.size()),
                                 std::to_string(trials.failed.size()),
                                 wins != nullptr ? std::to_string(wins->alone) : "",
                                 wins != nullptr ? std::to_string(wins->shared) : ""};
  const auto& statistics = trials.statistics;
  for (const TrialFigure& figure : kTrialFigures) {
    Estimate estimate;
    if (statistics) estimate = *statistics.*figure.estimate;
    const auto& interval = estimate.interval;
    cells.push_back(statistics ? exact(estimate.value_s) : "");
    cells.push_back(interval ? exact(interval->low_s) : "");
    cells.push_back(interval ? exact(interval->high_s) : "");
  }
  cells.push_back(statistics ? exact(statistics->least_s) : "");
  cells.push_back(statistics ? exact(statistics->most_s) : "");
  cells.push_back(exact(point.healthy_s()));
  cells.push_back(exact(point.slowdown()));
  return csv_line(cells);
}

}  // namespace reducelab
