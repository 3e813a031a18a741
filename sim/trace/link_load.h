#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/trace.h"

namespace reducelab {

/// From `time_s` until the next step, the link carries `load` of its capacity (0 to 1).
struct LoadStep {
  double time_s = 0;
  double load = 0;
  bool operator==(const LoadStep&) const = default;
};

/// How full each link was over time, as a step function per link. A trace knows when the bytes of a
/// message moved, not how their rate changed meanwhile: each message counts at its mean rate, and
/// the sum is cut at the capacity, which a real link never exceeds.
class LinkLoads {
 public:
  /// `trace` must outlive this object.
  explicit LinkLoads(const Trace& trace);

  /// Steps in strictly increasing time, each with another load than the one before, the last one
  /// 0; none if no message's bytes took time on the link.
  std::vector<LoadStep> of(LinkId link) const;

 private:
  const Trace& trace_;
  std::vector<std::size_t> first_;  ///< link -> its first entry in messages_; one more at the end
  std::vector<std::uint32_t> messages_;   ///< link by link
  std::vector<double> wire_per_payload_;  ///< link -> bytes on the wire per byte of message
};

}  // namespace reducelab
