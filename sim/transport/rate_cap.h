#pragma once

#include "sim/job.h"

namespace reducelab {

/// The most that a connection may put on the wire, in wire bytes per second; infinite if unbounded.
struct RateCap {
  double channel_bytes_per_s;     ///< a connection of one of the algorithm's channels
  double whole_rank_bytes_per_s;  ///< a connection outside any channel: all channels drive it
};

/// The caps of a protocol in a job, for paths of a kind.
RateCap rate_cap(const Job& job, const Protocol& protocol, LinkKind kind);

}  // namespace reducelab
