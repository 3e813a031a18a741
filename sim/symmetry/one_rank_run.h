#pragma once

#include "sim/job.h"
#include "sim/trace/run_result.h"

namespace reducelab {

/// True if the spec asks for nothing but times and counts, which one rank can give for all.
bool one_rank_may_do(const RunSpec& spec);

/// Runs a job on the flow engine with rank 0 alone, if it can stand for all ranks; false if it
/// cannot. Fills in the time, the counts and who was simulated; all as a run of every rank would.
bool run_one_rank(const Job& job, RunResult& result);

}  // namespace reducelab
