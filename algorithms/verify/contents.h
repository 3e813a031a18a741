#pragma once

#include <vector>

#include "algorithms/verify/execution_log.h"
#include "algorithms/verify/finding.h"
#include "algorithms/verify/verify.h"

namespace reducelab {

/// Replays a run on symbols and checks what the buffers hold: nothing is read uninitialised (V4),
/// every rank ends with every contribution exactly once (V2) and in its place (V3), in rank order
/// if that is promised (V10), added in the same order everywhere if that is promised (V11).
/// `scratch[i]` are the scratch buffers of participant i.
void check_contents(const World& world, const VerifyOptions& options, const ExecutionLog& log,
                    const std::vector<ScratchSizes>& scratch, FindingList& findings);

}  // namespace reducelab
