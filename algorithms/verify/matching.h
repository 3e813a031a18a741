#pragma once

#include <cstdint>
#include <set>

#include "algorithms/verify/finding.h"
#include "algorithms/verify/participant_programs.h"

namespace reducelab {

/// Pulls every program to its end without running anything, and checks what needs no execution: the
/// sends and receives of each connection pair up in order and length (V1), ranges lie inside their
/// buffers (V13), programs end without an exception (V15).
/// Returns the different sizes of messages, in elements.
std::set<std::int64_t> check_matching(const World& world, const ParticipantPrograms& programs,
                                      FindingList& findings);

}  // namespace reducelab
