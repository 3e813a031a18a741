#pragma once

#include <string_view>

#include "sim/job.h"

namespace reducelab {

/// Runs of at most so many messages go to SimGrid, the reference, which does them in a fraction of
/// a second; the flow engine gives the same times for larger ones sooner.
inline constexpr std::uint64_t kMostMessagesForSimgrid = 50'000;

/// The engine that `auto` stands for: `simgrid` or `flow`, by the number of messages of the job.
std::string_view choose_engine(const Job& job);

}  // namespace reducelab
