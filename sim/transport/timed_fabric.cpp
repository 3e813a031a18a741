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
  cpus_.free_s.assign(devices, 0);
  reducers_.per_device = static_cast<std::size_t>(job.profile.concurrent_reductions);
  reducers_.free_s.assign(devices * reducers_.per_device, 0);
}

double TimedFabric::Servers::occupy(std::size_t device, double now_s, double busy_s) {
  const auto first = free_s.begin() + static_cast<std::ptrdiff_t>(device * per_device);
  double& server = *std::min_element(first, first + static_cast<std::ptrdiff_t>(per_device));
  const double begin_s = std::max(now_s, server);
  server = begin_s + busy_s;
  return begin_s;
}

TimedFabric::Way& TimedFabric::open_way(std::uint32_t connection, const Message& message) {
  Way& way = slot(ways_, connection);
  const DeviceId from = job_.placement[static_cast<std::size_t>(message.from)];
  const DeviceId to = job_.placement[static_cast<std::size_t>(message.to)];
  way.route = &router_.route(from, to);
  way.from_device = static_cast<std::uint32_t>(from);
  way.to_device = static_cast<std::uint32_t>(to);
  way.latency_s = message_latency_s(job_.profile, job_.protocol, *way.route);
  way.same_device = way.route->links.empty();
  if (way.same_device) {
    way.full_rate_bytes_per_s = job_.profile.copy_bytes_per_s;
    return way;
  }
  const auto kind = static_cast<std::size_t>(way.route->kind);
  const RateCap& caps = rate_caps_[kind];
  const double cap = execution_->connection(connection).channel != 0 ? caps.channel_bytes_per_s
                                                                     : caps.whole_rank_bytes_per_s;
  way.wire_bytes_per_byte = 1 / job_.protocol.efficiency[kind];
  way.full_rate_bytes_per_s = std::min(way.route->bandwidth_bytes_per_s, cap);
  way.path = network_.open_path(from, to, *way.route, cap);
  return way;
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
  const std::uint32_t connection = message.connection;
  const Way& way = connection < ways_.size() && ways_[connection].route
                       ? ways_[connection]
                       : open_way(connection, message);
  const double now = network_.now();
  const Profile& profile = job_.profile;
  const std::int64_t bytes = message.count * job_.world.element_bytes;
  const double handshake_s =
      bytes > profile.eager_bytes ? profile.handshake_latencies * way.latency_s : 0;
  if (keeps_timings_) {
    MessageTiming& timing = slot(timings_, id) = {};
    timing.started_s = now;
    timing.send_overhead_s = profile.send_overhead_s;
    timing.handshake_s = handshake_s;
  }
  double ready_s = now;
  if (profile.send_overhead_s > 0) {
    const double busy_s = profile.send_overhead_s * slowness(message.from);
    ready_s = cpus_.occupy(way.from_device, now, busy_s) + busy_s;
  }
  wait_until(ready_s + handshake_s, Phase::send_overhead, id);
}

void TimedFabric::start_bytes(MessageId id) {
  const Message& message = execution_->message(id);
  Way& way = ways_[message.connection];
  const double wire = payload_bytes(message) * way.wire_bytes_per_byte;
  if (keeps_timings_) {
    timings_[id].overhead_end_s = network_.now();
    timings_[id].full_rate_s = wire / way.full_rate_bytes_per_s;
  }
  if (way.same_device) {  // a local copy
    // Never from within the request: the Execution still builds on the message not having moved.
    network_.at(network_.now() + wire / way.full_rate_bytes_per_s,
                token_of(Phase::local_bytes, id));
    return;
  }
  way.wire_bytes += wire;
  network_.start_flow(way.path, wire, token_of(Phase::flow, id));
}

void TimedFabric::flow_finished(std::uint64_t token) {
  const auto id = static_cast<MessageId>(token);
  const double latency_s = ways_[execution_->message(id).connection].latency_s;
  end_s_ = network_.now();
  if (keeps_timings_) timings_[id].sent_s = end_s_;
  const double out_s = end_s_ + latency_s;
  least_latency_s_ = std::min(least_latency_s_, latency_s);
  execution_->sent(id);
  wait_until(out_s, Phase::latency, id);
}

void TimedFabric::come_out(MessageId id) {
  const double overhead_s = job_.profile.receive_overhead_s;
  if (keeps_timings_) {
    timings_[id].latency_end_s = network_.now();
    timings_[id].receive_overhead_s = overhead_s;
  }
  if (overhead_s == 0) return arrive(id);
  const Message& message = execution_->message(id);
  const double busy_s = overhead_s * slowness(message.to);
  const std::size_t device = ways_[message.connection].to_device;
  wait_until(cpus_.occupy(device, network_.now(), busy_s) + busy_s, Phase::receive_overhead, id);
}

void TimedFabric::arrive(MessageId id) {
  end_s_ = network_.now();
  if (keeps_timings_) timings_[id].arrived_s = end_s_;
  execution_->arrived(id);
}

void TimedFabric::reduce(MessageId id, const Message& message) {
  const double nominal_s =
      job_.profile.reduction_launch_s + payload_bytes(message) * job_.profile.gamma_s_per_byte();
  const double busy_s = nominal_s * slowness(message.to);
  const double now = network_.now();
  const double begin_s = reducers_.occupy(device_of(message.to), now, busy_s);
  if (keeps_timings_) {
    MessageTiming& timing = timings_[id];
    timing.reduce_s = nominal_s;
    timing.reduce_ready_s = now;
    timing.reduce_begin_s = begin_s;
    timing.reduce_end_s = begin_s + busy_s;
  }
  wait_until(begin_s + busy_s, Phase::reduction, id);
}

void TimedFabric::perform(OpId id, int participant, const Operation& operation) {
  const auto bytes = static_cast<double>(operation.range.count * job_.world.element_bytes);
  const Profile& profile = job_.profile;
  const double nominal_s = operation.kind == OpKind::compute ? operation.cost_s
                           : operation.kind == OpKind::copy
                               ? bytes / profile.copy_bytes_per_s
                               : profile.reduction_launch_s + bytes * profile.gamma_s_per_byte();
  const double busy_s = nominal_s * slowness(participant);
  const double now = network_.now();
  const double begin_s = reducers_.occupy(device_of(participant), now, busy_s);
  if (keeps_timings_) slot(locals_, id) = {now, begin_s, begin_s + busy_s, nominal_s};
  wait_until(begin_s + busy_s, Phase::local, id);
}

void TimedFabric::timer_fired(std::uint64_t token) {
  const auto id = static_cast<std::uint32_t>(token);
  switch (static_cast<Phase>(token >> 32)) {
    case Phase::flow:
      return;
    case Phase::local_bytes:
      return flow_finished(token);
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

void TimedFabric::come_soon(std::span<const std::uint64_t> tokens) {
  soon_.clear();
  for (const std::uint64_t token : tokens) {
    if (static_cast<Phase>(token >> 32) < Phase::local) {
      soon_.push_back(static_cast<MessageId>(token));
    }
  }
  execution_->prefetch(soon_);
  for (const MessageId id : soon_) __builtin_prefetch(&ways_[execution_->message(id).connection]);
}

std::vector<double> TimedFabric::link_bytes() const {
  std::vector<double> bytes(job_.topology.links().size(), 0);
  for (const Way& way : ways_) {
    if (!way.route) continue;
    for (const LinkId link : way.route->links)
      bytes[static_cast<std::size_t>(link)] += way.wire_bytes;
  }
  return bytes;
}

}  // namespace reducelab
