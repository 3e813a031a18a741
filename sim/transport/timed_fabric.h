#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/execution/execution.h"
#include "sim/job.h"
#include "sim/symmetry/alike_ranks.h"
#include "sim/trace/trace.h"
#include "sim/transport/network.h"
#include "sim/transport/rate_cap.h"
#include "sim/transport/servers.h"

namespace reducelab {

/// Turns the requests of an Execution into time on a Network: overheads, handshake, bytes, latency,
/// reductions. One for all engines, so they can differ in nothing but how links are shared.
class TimedFabric final : public Fabric, public NetworkEvents {
 public:
  /// `job`, `router` and `network` must outlive the fabric. Its tokens carry `token_tag` in their
  /// upper byte.
  TimedFabric(const Job& job, Router& router, Network& network, std::uint64_t token_tag = 0);

  void attach(Execution& execution) { execution_ = &execution; }
  /// Has rank 0 stand for all ranks, its device for theirs; `alike` must outlive the fabric.
  void stand_for_all(AlikeRanks& alike) { alike_ = &alike; }
  /// Keeps the times of each message's phases, for a recorder to read.
  void keep_timings() { keeps_timings_ = true; }

  void transfer(MessageId id, const Message& message) override;
  void reduce(MessageId id, const Message& message) override;
  void perform(OpId id, int participant, const Operation& operation) override;
  void sleep(std::uint32_t strand, double seconds) override;
  double now_s() const override { return network_.now(); }

  void timer_fired(std::uint64_t token) override;
  void flow_finished(std::uint64_t token) override;
  void come_soon(std::span<const std::uint64_t> tokens) override;

  const MessageTiming& timing(MessageId id) const { return timings_[id]; }
  /// The way that the messages of a connection take.
  const Route& route(std::uint32_t connection) const { return *ways_[connection].route; }
  const LocalTiming& local_timing(OpId id) const { return locals_[id]; }
  /// Bytes that crossed each link so far.
  std::vector<double> link_bytes() const;
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
    local,
    sleep,
    serve_cpus,
    serve_reducers
  };
  static constexpr std::uint64_t token_of(Phase phase, std::uint32_t id) {
    return (static_cast<std::uint64_t>(phase) << 32) | id;
  }
  /// What all messages of one connection have in common.
  struct alignas(64) Way {
    const Route* route = nullptr;  ///< null until its first message
    double latency_s = 0;
    double wire_bytes_per_byte = 1;
    double full_rate_bytes_per_s = 0;
    double wire_bytes = 0;  ///< sum so far
    PathId path = 0;
    std::uint32_t from_device = 0;
    std::uint32_t to_device = 0;
    bool same_device = false;
    bool changes = false;  ///< a link on the way is not always what the topology says
  };
  Way& open_way(std::uint32_t connection, const Message& message);
  void wait_until(double time_s, Phase phase, std::uint32_t id);
  void ask(Servers& servers, Phase serve, const ServerRequest& request);
  void serve(Servers& servers);
  /// A server takes up a request: what follows waits for its end.
  void begin_use(const ServerRequest& request, ServerUse use);
  Turn turn(Turn::Kind kind, int rank, int peer, std::uint32_t connection) const;
  void start_bytes(MessageId id);
  void come_out(MessageId id);
  void arrive(MessageId id);
  double payload_bytes(const Message& message) const {
    return static_cast<double>(message.count * job_.world.element_bytes);
  }
  /// What a message pays now between its last byte's leaving and its arrival.
  double latency_s(const Way& way) const;
  /// The bandwidth of a way now, if it is alone there.
  double rate_now(const Way& way) const;
  static Phase phase_of(std::uint64_t token) { return static_cast<Phase>((token >> 32) & 0xff); }
  std::uint64_t token(Phase phase, std::uint32_t id) const {
    return token_tag_ | (static_cast<std::uint64_t>(phase) << 32) | id;
  }
  std::size_t device_of(int participant) const {
    const std::size_t who = alike_ ? 0 : static_cast<std::size_t>(participant);
    return static_cast<std::size_t>(job_.placement[who]);
  }

  const Job& job_;
  Router& router_;
  Network& network_;
  std::uint64_t token_tag_;
  Relabelling turns_;  ///< says which peers of two ranks are the same to them
  Execution* execution_ = nullptr;
  AlikeRanks* alike_ = nullptr;         ///< null: every rank stands for itself
  std::array<RateCap, 3> rate_caps_{};  ///< by LinkKind
  Servers cpus_;                        ///< for sending and receiving overheads
  Servers reducers_;                    ///< for reductions, copies and computations
  std::vector<Way> ways_;               ///< by connection
  bool keeps_timings_ = false;
  std::vector<MessageTiming> timings_;  ///< by MessageId, if kept
  std::vector<LocalTiming> locals_;     ///< by OpId, if kept
  std::vector<MessageId> soon_;
  double end_s_ = 0;
  double least_latency_s_ = std::numeric_limits<double>::infinity();
};

}  // namespace reducelab
