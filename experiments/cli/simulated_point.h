#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/report/trial_statistics.h"
#include "experiments/worker/serve_job.h"

namespace reducelab {

/// A trial without a result.
struct FailedTrial {
  std::uint64_t seed = 0;
  Error error;
};

/// One job run with several seeds: its own, that plus 1, plus 2, ...
struct Trials {
  std::uint64_t first_seed = 0;
  std::vector<std::optional<double>> times_s;  ///< by trial; nothing where it failed
  std::vector<FailedTrial> failed;
  std::optional<TrialStatistics> statistics;  ///< of those that came through, if any did
};

/// What became of a job: a result, or why there is none; over several seeds, and beside the same
/// job on a cluster where nothing misbehaves, if these were asked for.
struct SimulatedPoint {
  RunSpec spec;                     ///< as asked for
  std::optional<RunResult> result;  ///< of the first trial that came through
  std::optional<Error> failure;     ///< if none did: the first one's
  std::optional<Trials> trials;
  std::optional<Outcome> healthy;

  /// The time that stands for the job: the result's, or the mean of the trials; needs a result.
  double time_s() const;
  std::size_t failed_trials() const { return trials ? trials->failed.size() : 0; }
  /// The gravest exit code among the failed trials; 0: none failed.
  int worst_trial() const;
  /// The result with that time.
  RunResult typical() const;
  /// The time of the healthy cluster, if it is known.
  std::optional<double> healthy_s() const;
  /// How many times as long as on the healthy cluster it took; nothing if either is unknown.
  std::optional<double> slowdown() const;
};

/// Which simulations make up a point.
struct PointPlan {
  std::optional<std::uint64_t> trials;
  bool healthy = false;  ///< also without the scenario

  std::size_t jobs_per_point() const {
    return static_cast<std::size_t>(trials.value_or(1)) + (healthy ? 1 : 0);
  }
  /// The healthy run first, then the trials. After the first trial no data is moved unless the spec
  /// says how much.
  std::vector<RunSpec> jobs_of(const RunSpec& spec) const;
  /// Puts the outcomes of these jobs together. Throws an Error (unsupported): what this machine
  /// cannot do, it cannot do for any other seed either.
  SimulatedPoint point_of(const RunSpec& spec, std::vector<Outcome> outcomes) const;
};

}  // namespace reducelab
