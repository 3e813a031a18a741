#pragma once

#include <cstdint>
#include <span>

#include "sim/job.h"

namespace reducelab {

/// What a finished run says it did.
struct RunFacts {
  double took_s = 0;  ///< by the programs, without attempts that failed before
  std::span<const std::int64_t> bytes_sent{};      ///< by participant
  std::span<const std::int64_t> bytes_received{};  ///< by participant
  std::uint32_t steps = 0;                         ///< messages on the longest chain
  double least_latency_s = 0;                      ///< that any message paid
  std::span<const double> link_bytes{};            ///< on the wire, by link
};

/// Holds a run against what no network can beat: bytes sent equal bytes received; every rank's
/// vector goes out and comes in through its own ports and through those of its node; each link's
/// bytes fit through it; and the longest chain of messages pays a latency each. Throws a run Error
/// with the figures.
void require_possible(const Job& job, const RunFacts& facts);

}  // namespace reducelab
