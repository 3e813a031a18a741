#pragma once

#include "algorithms/verify/execution_log.h"
#include "algorithms/verify/finding.h"

namespace reducelab {

/// Warns of messages that nothing in any rank's result depends on (V15), by a backward slice from
/// the ranks' vectors.
void check_traffic(const World& world, const ExecutionLog& log, FindingList& findings);

}  // namespace reducelab
