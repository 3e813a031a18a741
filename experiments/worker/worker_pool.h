#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "experiments/worker/serve_job.h"
#include "experiments/worker/wall_limit.h"

namespace reducelab {

/// Whom a pool tells about its jobs.
struct PoolListener {
  /// Each job's outcome, in the order of the jobs whichever ends first.
  std::function<void(std::size_t index, const Outcome&)> on_outcome;
  /// How many jobs have ended; may be empty.
  std::function<void(std::size_t finished)> on_progress;
};

/// Runs each job in a process of its own, at most `at_once` at a time (at least 1). Fork comes
/// before any thread: call it from a process that has none. What a successful worker printed to
/// standard error appears on ours. An exception of the listener ends all workers and passes on. A
/// worker that has not ended after `wall_limit_s` of real time is killed, whatever it is doing; its
/// outcome is then wall_limit_error.
void run_in_workers(std::span<const RunSpec> jobs, int at_once, const Simulation& simulation,
                    const PoolListener& listener, double wall_limit_s = kDefaultWallLimit_s);

/// One job in a process of its own.
Outcome run_in_worker(const RunSpec& job, const Simulation& simulation,
                      double wall_limit_s = kDefaultWallLimit_s);

}  // namespace reducelab
