#pragma once

#include <vector>

#include "algorithms/verify/execution_log.h"
#include "algorithms/verify/finding.h"
#include "algorithms/verify/hazards.h"

namespace reducelab {

/// The pairs of conflicting operations that nothing but timing orders, by happens-before.
///
/// Order comes of hazards within a strand, of a message's bytes, of the order in which a connection
/// moves the messages of one strand, of local work being done in program order, and of fences,
/// spawns and joins; not of a full window or of a receive being posted, which other limits undo.
std::vector<ConflictingPair> find_races(const ExecutionLog& log, const HazardEdges& hazards);

/// Reports the strands of a participant that race on a range (V5), or that post to the same end of
/// a connection in an order that depends on timing (V12).
void check_races(const World& world, const ExecutionLog& log, const HazardEdges& hazards,
                 FindingList& findings);

}  // namespace reducelab
