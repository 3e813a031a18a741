#include "sim/transport/timed_fabric.h"

#include <algorithm>

namespace reducelab {
namespace {

template <class Phase>
std::uint64_t token_of(Phase phase, std::uint32_t id) {
  return (static_cast<std::uint64_t>(phase) << 32) | id;
}

template <class T>
T& slot(std::vector<T>& records, std::uint32_t id) {
  if (records.size() <= id) records.resize(id + id / 2 + 16);
  return records[id];
}

}  // namespace

TimedFabric::TimedFabric(const Job& job, Router& router, Network& network)
    : job_(job), router_(router), network_(network) {
  for (const LinkKind kind : all_link_kinds()) {
    rate_caps_[static_cast<std::size_t>(kind)] = rate_cap(job, job.protocol, kind);
  }
  const std::size_t devices = job.topology.devices().size();
  cpu_free_s_.resize(devices);
  reduce_free_s_.resize(devices);
  for (const DeviceId device : job.placement) {
    const auto i = static_cast<std::size_t>(device);
    cpu_free_s_[i].assign(1, 0);
    reduce_free_s_[i].assign(static_cast<std::size_t>(job.profile.concurrent_reductions), 0);
  }
  link_bytes_.resize(job.topology.links().size(), 0);
}

double TimedFabric::latency_s(MessageId id) const {
  return message_latency_s(job_.profile, job_.protocol, *routes_[id]);
}

double TimedFabric::slowness(int participant) const {
  return job_.slowness[static_cast<std::size_t>(participant)];
}

double TimedFabric::occupy(std::vector<double>& servers, double now_s, double busy_s) {
  double& free_s = *std::min_element(servers.begin(), servers.end());
  const double begin_s = std::max(now_s, free_s);
  free_s = begin_s + busy_s;
  return begin_s;
}

void TimedFabric::wait_until(double time_s, Phase phase, std::uint32_t id) {
  const std::uint64_t token = token_of(phase, id);
  if (time_s > network_.now()) {
    network_.at(time_s, token);
  } else {
    timer_fired(token);
  }
}

void TimedFabric::transfer(MessageId id, const Message& message) {
  slot(messages_, id) = message;
  MessageTiming& timing = slot(timings_, id);
  const double now = network_.now();
  const Profile& profile = job_.profile;
  const auto from = static_cast<std::size_t>(message.from);
  timing = {};
  timing.started_s = now;
  slot(routes_, id) =
      &router_.route(job_.placement[from], job_.placement[static_cast<std::size_t>(message.to)]);
  const std::int64_t bytes = message.count * job_.world.element_bytes;
  timing.send_overhead_s = profile.send_overhead_s;
  if (bytes > profile.eager_bytes) {
    timing.handshake_s = profile.handshake_latencies * latency_s(id);
  }
  double ready_s = now;
  if (profile.send_overhead_s > 0) {
    const double busy_s = profile.send_overhead_s * slowness(message.from);
    const auto device = static_cast<std::size_t>(job_.placement[from]);
    ready_s = occupy(cpu_free_s_[device], now, busy_s) + busy_s;
  }
  wait_until(ready_s + timing.handshake_s, Phase::send_overhead, id);
}

void TimedFabric::start_bytes(MessageId id) {
  MessageTiming& timing = timings_[id];
  const Message& message = messages_[id];
  timing.overhead_end_s = network_.now();
  const auto payload = static_cast<double>(message.count * job_.world.element_bytes);
  const Route& route = *routes_[id];
  const std::uint64_t token = token_of(Phase::flow, id);
  if (route.links.empty()) {  // both ends on one device: a local copy
    timing.full_rate_s = payload / job_.profile.copy_bytes_per_s;
    // Never from within the request: the Execution still builds on the message not having moved.
    network_.at(network_.now() + timing.full_rate_s, token_of(Phase::local_bytes, id));
    return;
  }
  const double efficiency = job_.protocol.efficiency[static_cast<std::size_t>(route.kind)];
  const double wire = payload / efficiency;
  const RateCap& caps = rate_caps_[static_cast<std::size_t>(route.kind)];
  const double cap = message.channel != 0 ? caps.channel_bytes_per_s : caps.whole_rank_bytes_per_s;
  timing.full_rate_s = wire / std::min(route.bandwidth_bytes_per_s, cap);
  for (const LinkId link : route.links) link_bytes_[static_cast<std::size_t>(link)] += wire;
  const auto end = [this](int participant) {
    return job_.placement[static_cast<std::size_t>(participant)];
  };
  network_.start_flow(end(message.from), end(message.to), route, wire, cap, token);
}

void TimedFabric::flow_finished(std::uint64_t token) {
  const auto id = static_cast<MessageId>(token);
  MessageTiming& timing = timings_[id];
  timing.sent_s = end_s_ = network_.now();
  const double out_s = timing.sent_s + latency_s(id);
  least_latency_s_ = std::min(least_latency_s_, latency_s(id));
  execution_->sent(id);
  wait_until(out_s, Phase::latency, id);
}

void TimedFabric::come_out(MessageId id) {
  MessageTiming& timing = timings_[id];
  timing.latency_end_s = network_.now();
  const int to = messages_[id].to;
  timing.receive_overhead_s = job_.profile.receive_overhead_s;
  const double busy_s = timing.receive_overhead_s * slowness(to);
  double ready_s = timing.latency_end_s;
  if (busy_s > 0) {
    const auto device = static_cast<std::size_t>(job_.placement[static_cast<std::size_t>(to)]);
    ready_s = occupy(cpu_free_s_[device], ready_s, busy_s) + busy_s;
  }
  wait_until(ready_s, Phase::receive_overhead, id);
}

void TimedFabric::arrive(MessageId id) {
  timings_[id].arrived_s = end_s_ = network_.now();
  execution_->arrived(id);
}

void TimedFabric::reduce(MessageId id, const Message& message) {
  MessageTiming& timing = timings_[id];
  const auto bytes = static_cast<double>(message.count * job_.world.element_bytes);
  timing.reduce_s = job_.profile.reduction_launch_s + bytes * job_.profile.gamma_s_per_byte();
  const double busy_s = timing.reduce_s * slowness(message.to);
  const auto device =
      static_cast<std::size_t>(job_.placement[static_cast<std::size_t>(message.to)]);
  timing.reduce_ready_s = network_.now();
  timing.reduce_begin_s = occupy(reduce_free_s_[device], network_.now(), busy_s);
  timing.reduce_end_s = timing.reduce_begin_s + busy_s;
  wait_until(timing.reduce_end_s, Phase::reduction, id);
}

void TimedFabric::perform(OpId id, int participant, const Operation& operation) {
  LocalTiming& timing = slot(locals_, id);
  const auto bytes = static_cast<double>(operation.range.count * job_.world.element_bytes);
  const Profile& profile = job_.profile;
  timing.nominal_s = operation.kind == OpKind::compute ? operation.cost_s
                     : operation.kind == OpKind::copy
                         ? bytes / profile.copy_bytes_per_s
                         : profile.reduction_launch_s + bytes * profile.gamma_s_per_byte();
  const double busy_s = timing.nominal_s * slowness(participant);
  const auto device =
      static_cast<std::size_t>(job_.placement[static_cast<std::size_t>(participant)]);
  timing.ready_s = network_.now();
  timing.begin_s = occupy(reduce_free_s_[device], network_.now(), busy_s);
  timing.end_s = timing.begin_s + busy_s;
  wait_until(timing.end_s, Phase::local, id);
}

void TimedFabric::timer_fired(std::uint64_t token) {
  const auto id = static_cast<std::uint32_t>(token);
  switch (static_cast<Phase>(token >> 32)) {
    case Phase::flow:
    case Phase::local_bytes:
      return flow_finished(id);
    case Phase::send_overhead:
      return start_bytes(id);
    case Phase::latency:
      return come_out(id);
    case Phase::receive_overhead:
      return arrive(id);
    case Phase::reduction:
      end_s_ = network_.now();
      return execution_->reduced(id);
    case Phase::local:
      end_s_ = network_.now();
      return execution_->finished(id);
  }
}

}  // namespace reducelab
