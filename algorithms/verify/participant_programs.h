#pragma once

#include <functional>

#include "algorithms/execution/execution.h"

namespace reducelab {

/// Makes the program of participant `id`, which records its scratch buffers in `scratch`.
using ParticipantPrograms = std::function<Program(int id, ScratchSizes* scratch)>;

struct VerifyOptions;
struct VerifyReport;

/// What both forms of `verify` come down to.
VerifyReport verify_participants(const World& world, const ParticipantPrograms& programs,
                                 const VerifyOptions& options);

/// `[0, 5)` or `[0, 5) of scratch 2`.
std::string range_name(const Range& range);

}  // namespace reducelab
