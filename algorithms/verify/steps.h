#pragma once

#include <cstdint>

#include "algorithms/verify/execution_log.h"
#include "algorithms/verify/hazards.h"

namespace reducelab {

/// Numbers every message of a run with its place on the longest chain of messages that depend on
/// one another, from 1, and returns the length of the longest chain. Unlike what the run itself
/// counts, this does not depend on how early operations were posted.
std::uint32_t number_steps(ExecutionLog& log, const HazardEdges& hazards);

}  // namespace reducelab
