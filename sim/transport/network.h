#pragma once

#include <cstdint>
#include <span>

#include "algorithms/execution/observer.h"
#include "topologies/router.h"

namespace reducelab {

/// What a Network tells whoever asked it for something.
class NetworkEvents {
 public:
  virtual ~NetworkEvents() = default;
  virtual void timer_fired(std::uint64_t token) = 0;
  virtual void flow_finished(std::uint64_t token) = 0;

  /// Says which events come next, so that their memory can be fetched all at once.
  virtual void come_soon(std::span<const std::uint64_t> /*tokens*/) {}
};

/// Tokens of different users of one Network differ in their upper byte.
inline constexpr std::uint64_t kTokenTagMask = std::uint64_t{0xff} << 56;

/// A way through a Network that flows can be started on.
using PathId = std::uint32_t;

/// The part of an engine that knows about time and shared links, and about nothing else.
class Network {
 public:
  virtual ~Network() = default;

  /// Simulated seconds since the start.
  virtual double now() const = 0;
  /// Calls `timer_fired(token)` at simulated time `time_s`, which is not in the past.
  virtual void at(double time_s, std::uint64_t token) = 0;
  /// Makes a path along the links of a route, whose every flow moves at its max-min fair share, but
  /// at no more than `cap_bytes_per_s`. Latency is not part of it.
  virtual PathId open_path(DeviceId from, DeviceId to, const Route& route,
                           double cap_bytes_per_s) = 0;
  /// Moves `wire_bytes` along a path; calls `flow_finished(token)`, never from within this call.
  virtual void start_flow(PathId path, double wire_bytes, std::uint64_t token) = 0;
  /// Changes a link from now on; flows on a link that is down stand still.
  virtual void set_link(LinkId link, double bytes_per_s, bool up) = 0;
  /// Ends all flows whose token has this upper byte, without calling anybody.
  virtual void cancel_flows(std::uint64_t token_tag) = 0;
  /// For networks that follow the life of participants; null otherwise.
  virtual ExecutionObserver* participants() { return nullptr; }
  /// Runs until nothing is left to happen. Rethrows what an event handler threw.
  virtual void run() = 0;
};

}  // namespace reducelab
