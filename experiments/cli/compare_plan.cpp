#include "experiments/cli/compare_plan.h"

#include <algorithm>
#include <cmath>

#include "algorithms/registry.h"
#include "core/text.h"
#include "experiments/cli/run_options.h"
#include "sim/job.h"

namespace reducelab {
namespace {

std::vector<const Algorithm*> chosen(const std::string& names) {
  std::vector<const Algorithm*> algorithms;
  if (names == "all") {
    for (const Algorithm& algorithm : all_algorithms()) algorithms.push_back(&algorithm);
    return algorithms;
  }
  for (const std::string_view name : split(names, ',')) {
    const Algorithm* algorithm = &find_algorithm(trim(name));
    if (std::ranges::find(algorithms, algorithm) == algorithms.end()) {
      algorithms.push_back(algorithm);
    }
  }
  if (algorithms.empty()) throw usage_error("--algorithms: the list is empty");
  return algorithms;
}

}  // namespace

ComparePlan make_compare_plan(const std::string& names, const std::vector<std::int64_t>& sizes,
                              const RunSpec& common,
                              const std::map<std::string, std::string>& params) {
  ComparePlan plan;
  plan.sizes = sizes;
  const std::vector<const Algorithm*> algorithms = chosen(names);
  require_taken(params, algorithms);
  std::vector<RunSpec> specs;
  std::optional<Error> refusal;
  for (const Algorithm* algorithm : algorithms) {
    RunSpec spec = common;
    spec.algorithm = algorithm->name;
    spec.params = params_of(*algorithm, params);
    spec.bytes = sizes.front();
    try {
      plan.ranks = make_job(spec).world.ranks;
    } catch (const Error& error) {
      if (names != "all" || error.code() != ErrorCode::usage) throw;
      if (!refusal) refusal = error;
      plan.skipped.push_back({spec.algorithm, -1, error.what()});
      continue;
    }
    plan.algorithms.push_back(spec.algorithm);
    specs.push_back(std::move(spec));
  }
  // What no algorithm can do is a mistake in what they share.
  if (specs.empty() && refusal) throw *refusal;
  for (const std::int64_t bytes : sizes) {
    for (RunSpec& spec : specs) {
      spec.bytes = bytes;
      plan.jobs.push_back(spec);
    }
  }
  return plan;
}

std::optional<Standing> standing_by_time(const SimulatedPoint& point) {
  if (!point.result) return std::nullopt;
  return Standing(point.failed_trials(), point.time_s());
}

std::optional<Standing> standing_by_slowdown(const SimulatedPoint& point) {
  constexpr double kDigits = 1e9;
  const auto slowdown = point.slowdown();
  if (!slowdown) return std::nullopt;
  return Standing(point.failed_trials(), std::round(*slowdown * kDigits) / kDigits);
}

std::vector<const SimulatedPoint*> least_points(
    const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
    const std::function<std::optional<Standing>(const SimulatedPoint&)>& standing) {
  std::vector<const SimulatedPoint*> all;
  for (std::size_t s = 0; s < plan.sizes.size(); ++s) {
    const SimulatedPoint* least = nullptr;
    std::optional<Standing> lowest;
    for (std::size_t a = 0; a < plan.algorithms.size(); ++a) {
      const SimulatedPoint& point = points.at(s * plan.algorithms.size() + a);
      const auto value = standing(point);
      if (!value || (lowest && *value >= *lowest)) continue;
      least = &point;
      lowest = value;
    }
    all.push_back(least);
  }
  return all;
}

std::vector<const SimulatedPoint*> best_points(const ComparePlan& plan,
                                               const std::vector<SimulatedPoint>& points) {
  auto best = least_points(plan, points, standing_by_time);
  std::erase(best, nullptr);
  return best;
}

}  // namespace reducelab
