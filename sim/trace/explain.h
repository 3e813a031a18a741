#pragma once

#include "sim/trace/run_result.h"
#include "sim/trace/trace.h"

namespace reducelab {

/// Walks back from the last thing that ended, each time to the operation whose end let it begin,
/// and splits the whole time of the run over what those operations spent it on.
Explanation explain(const Trace& trace);

}  // namespace reducelab
