#pragma once

#include "sim/job.h"
#include "sim/trace/run_result.h"

namespace reducelab {

/// Runs one simulation in this process and checks it: the data against a float64 reference, the
/// time against physical floors. Throws an Error (failed) rather than give a result that breaks
/// one. With the `simgrid` engine it may be called once per process only.
RunResult simulate(const RunSpec& spec);

}  // namespace reducelab
