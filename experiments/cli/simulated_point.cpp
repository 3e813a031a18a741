#include "experiments/cli/simulated_point.h"

#include <algorithm>

namespace reducelab {

double SimulatedPoint::time_s() const {
  return trials ? trials->statistics.value().mean.value_s : result.value().time_s;
}

int SimulatedPoint::worst_trial() const {
  int code = 0;
  if (!trials) return code;
  for (const FailedTrial& trial : trials->failed) code = std::max(code, trial.error.exit_code());
  return code;
}

RunResult SimulatedPoint::typical() const {
  RunResult typical = result.value();
  typical.time_s = time_s();
  return typical;
}

std::optional<double> SimulatedPoint::healthy_s() const {
  if (!healthy || !std::holds_alternative<RunResult>(*healthy)) return std::nullopt;
  return std::get<RunResult>(*healthy).time_s;
}

std::optional<double> SimulatedPoint::slowdown() const {
  const auto base_s = healthy_s();
  if (!result || !base_s || *base_s <= 0) return std::nullopt;
  return time_s() / *base_s;
}

std::vector<RunSpec> PointPlan::jobs_of(const RunSpec& spec) const {
  std::vector<RunSpec> jobs;
  if (healthy) {
    RunSpec job = spec;
    job.scenario.clear();
    job.data = DataMode::none;
    job.explain = false;
    job.trace_file.clear();
    jobs.push_back(std::move(job));
  }
  for (std::uint64_t trial = 0; trial < trials.value_or(1); ++trial) {
    RunSpec job = spec;
    job.seed += trial;  // around 2^64 if need be
    if (trial > 0 && job.data == DataMode::automatic) job.data = DataMode::none;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

SimulatedPoint PointPlan::point_of(const RunSpec& spec, std::vector<Outcome> outcomes) const {
  for (const Outcome& outcome : outcomes) {
    const Error* error = std::get_if<Error>(&outcome);
    if (error != nullptr && error->code() == ErrorCode::unsupported) throw *error;
  }
  SimulatedPoint point;
  point.spec = spec;
  auto next = outcomes.begin();
  if (healthy) point.healthy = std::move(*next++);
  Trials all{spec.seed, {}, {}, {}};
  std::vector<double> times_s;
  for (std::uint64_t trial = 0; next != outcomes.end(); ++next, ++trial) {
    if (const Error* error = std::get_if<Error>(&*next)) {
      all.times_s.emplace_back();
      all.failed.push_back({spec.seed + trial, *error});
      continue;
    }
    RunResult& result = std::get<RunResult>(*next);
    all.times_s.emplace_back(result.time_s);
    times_s.push_back(result.time_s);
    if (!point.result) point.result = std::move(result);
  }
  if (!point.result) {
    point.failure = all.failed.front().error;
    if (all.failed.size() > 1) {
      point.failure->note(fmt::format("none of the {} trials came through", all.failed.size()));
    }
  }
  if (!trials) return point;
  if (!times_s.empty()) all.statistics = trial_statistics(std::move(times_s));
  point.trials = std::move(all);
  return point;
}

}  // namespace reducelab
