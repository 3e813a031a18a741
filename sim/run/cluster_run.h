#pragma once

#include "sim/job.h"
#include "sim/trace/run_result.h"

namespace reducelab {

/// Runs the programs of a job on the network of `job.spec.engine` (`simgrid` or `flow`), under the
/// job's scenario, and fills everything in `result` that comes of it. Throws a run Error if the job
/// cannot finish, its data comes out wrong, or its result is physically impossible.
void run_on_cluster(const Job& job, RunResult& result);

}  // namespace reducelab
