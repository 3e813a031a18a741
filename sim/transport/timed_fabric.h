#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/execution/execution.h"
#include "sim/job.h"
#include "sim/trace/trace.h"
#include "sim/transport/network.h"
#include "sim/transport/rate_cap.h"

namespace reducelab {

/// Turns the requests of an Execution into time on a Network: overheads, handshake, bytes, latency,
/// reductions. One for all engines, so they can differ in nothing but how links are shared.
class TimedFabric final : public Fabric, public NetworkEvents {
 public:
  /// `job`, `router` and `network` must outlive the fabric.
  TimedFabric(const Job& job, Router& router, Network& network);

  void attach(Execution& execution) { execution_ = &execution; }

  void transfer(MessageId id, const Message& message) override;
  void reduce(MessageId id, const Message& message) override;
  void perform(OpId id, int participant, const Operation& operation) override;

  void timer_fired(std::uint64_t token) override;
  void flow_finished(std::uint64_t token) override;

  const MessageTiming& timing(MessageId id) const { return timings_[id]; }
  /// The way that a message takes.
  const Route& route(MessageId id) const { return *routes_[id]; }
  const LocalTiming& local_timing(OpId id) const { return locals_[id]; }
  /// Bytes that crossed each link.
  const std::vector<double>& link_bytes() const { return link_bytes_; }
  /// The least latency that any message paid; infinite if there was none.
  double least_latency_s() const { return least_latency_s_; }
  /// Time of the last event.
  double end_s() const { return end_s_; }

 private:
  enum class Phase : std::uint8_t {
    flow,
    local_bytes,
    send_overhead,
    latency,
    receive_overhead,
    reduction,
    local
  };

  void wait_until(double time_s, Phase phase, std::uint32_t id);
  void start_bytes(MessageId id);
  void come_out(MessageId id);
  void arrive(MessageId id);
  double latency_s(MessageId id) const;
  double slowness(int participant) const;
  /// The time at which a use of `busy_s` may begin on the first free of `servers`; takes it.
  static double occupy(std::vector<double>& servers, double now_s, double busy_s);

  const Job& job_;
  Router& router_;
  Network& network_;
  Execution* execution_ = nullptr;
  std::array<RateCap, 3> rate_caps_{};              ///< by LinkKind
  std::vector<std::vector<double>> cpu_free_s_;     ///< device -> when each server is free
  std::vector<std::vector<double>> reduce_free_s_;  ///< likewise for reductions and copies
  std::vector<Message> messages_;                   ///< copies, by MessageId
  std::vector<MessageTiming> timings_;
  std::vector<const Route*> routes_;  ///< by MessageId
  std::vector<LocalTiming> locals_;
  std::vector<double> link_bytes_;
  double end_s_ = 0;
  double least_latency_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace reducelab
