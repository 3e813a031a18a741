#pragma once

#include <cstdint>

#include "algorithms/execution/observer.h"
#include "topologies/router.h"

namespace reducelab {

/// What a Network tells whoever asked it for something.
class NetworkEvents {
 public:
  virtual ~NetworkEvents() = default;
  virtual void timer_fired(std::uint64_t token) = 0;
  virtual void flow_finished(std::uint64_t token) = 0;
};

/// The part of an engine that knows about time and shared links, and about nothing else.
class Network {
 public:
  virtual ~Network() = default;

  /// Simulated seconds since the start.
  virtual double now() const = 0;
  /// Calls `timer_fired(token)` at simulated time `time_s`, which is not in the past.
  virtual void at(double time_s, std::uint64_t token) = 0;
  /// Moves `wire_bytes` along a route at its max-min fair share, but at no more than
  /// `cap_bytes_per_s`; calls `flow_finished(token)`. Latency is not part of it.
  virtual void start_flow(DeviceId from, DeviceId to, const Route& route, double wire_bytes,
                          double cap_bytes_per_s, std::uint64_t token) = 0;
  /// For networks that follow the life of participants; null otherwise.
  virtual ExecutionObserver* participants() { return nullptr; }
  /// Runs until nothing is left to happen. Rethrows what an event handler threw.
  virtual void run() = 0;
};

}  // namespace reducelab
