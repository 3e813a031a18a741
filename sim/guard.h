#pragma once

#include "algorithms/execution/execution.h"
#include "sim/job.h"
#include "sim/trace/run_result.h"
#include "sim/transport/timed_fabric.h"

namespace reducelab {

/// Holds a result against what no network can beat: every participant finished and every message
/// was received, bytes sent equal bytes received, each participant's and each link's bytes fit
/// through its capacity in the time, and so do the latencies of the longest chain of messages.
/// Throws a run Error with the figures.
/// `took_s` is what the job's programs took, without attempts that failed before.
void require_possible(const Job& job, const Execution& execution, const TimedFabric& fabric,
                      double took_s, const RunResult& result);

/// The bandwidth floor of any all-reduce on this placement: each rank with a non-trivial vector
/// sends and receives at least n(p-1)/p bytes twice over (Patarasuk and Yuan 2009), through ports
/// that the topology gives it; 0 for one rank.
double allreduce_floor_s(const Job& job);

}  // namespace reducelab
