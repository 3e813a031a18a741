#include "sim/transport/timed_fabric.h"

#include <algorithm>

namespace reducelab {
namespace {

template <class T>
T& slot(std::vector<T>& records, std::uint32_t id) {
  if (records.size() <= id) records.resize(id + id / 2 + 16);
  return records[id];
}

Relabelling symmetry_of(const Job& job) {
  const bool known = job.algorithm && job.algorithm->symmetry && job.world.extras == 0;
  const Relabelling own = known ? job.algorithm->symmetry(job.world) : Relabelling::none;
  return own != Relabelling::none ? own : Relabelling::shift;
}

}  // namespace

TimedFabric::TimedFabric(const Job& job, Router& router, Network& network, std::uint64_t token_tag)
    : job_(job),
      router_(router),
      network_(network),
      token_tag_(token_tag),
      turns_(symmetry_of(job)),
      cpus_(job.topology.devices().size(), 1, job.scenario.timelines),
      reducers_(job.topology.devices().size(),
                static_cast<std::size_t>(job.profile.concurrent_reductions),
                job.scenario.timelines) {
  for (const LinkKind kind : all_link_kinds()) {
    rate_caps_[static_cast<std::size_t>(kind)] = rate_cap(job, job.protocol, kind);
  }
}

double TimedFabric::latency_s(const Way& way) const {
  double latency_s = way.latency_s;
  if (!way.changes) return latency_s;
  const LinkTimelines& links = job_.scenario.links;
  for (const LinkId link : way.route->links) {
    if (links.changes(link)) latency_s += links.at(link, network_.now()).extra_latency_s;
  }
  return latency_s;
}

double TimedFabric::rate_now(const Way& way) const {
  double rate = way.full_rate_bytes_per_s;
  if (!way.changes) return rate;
  const LinkTimelines& links = job_.scenario.links;
  for (const LinkId link : way.route->links) {
    if (!links.changes(link)) continue;
    rate = std::min(rate, links.at(link, network_.now()).bandwidth_bytes_per_s);
  }
  return rate;
}

TimedFabric::Way& TimedFabric::open_way(std::uint32_t connection, const Message& message) {
  Way& way = slot(ways_, connection);
  const DeviceId from = job_.placement[static_cast<std::size_t>(message.from)];
  const DeviceId to = job_.placement[static_cast<std::size_t>(message.to)];
  way.route = alike_ ? &alike_->route(router_, message.to) : &router_.route(from, to);
  way.from_device = static_cast<std::uint32_t>(from);
  way.to_device = static_cast<std::uint32_t>(device_of(message.to));
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
  const auto changes = [this](LinkId link) { return job_.scenario.links.changes(link); };
  way.changes = std::any_of(way.route->links.begin(), way.route->links.end(), changes);
  return way;
}

void TimedFabric::wait_until(double time_s, Phase phase, std::uint32_t id) {
  if (time_s > network_.now()) {
    network_.at(time_s, token(phase, id));
  } else {
    timer_fired(token(phase, id));
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
  const double handshake_s = bytes > profile.eager_bytes && profile.handshake_latencies > 0
                                 ? profile.handshake_latencies * latency_s(way)
                                 : 0;
  if (keeps_timings_) {
    MessageTiming& timing = slot(timings_, id) = {};
    timing.started_s = now;
    timing.send_overhead_s = profile.send_overhead_s;
    timing.handshake_s = handshake_s;
  }
  if (profile.send_overhead_s == 0) {
    return wait_until(now + handshake_s, Phase::send_overhead, id);
  }
  ask(cpus_, Phase::serve_cpus,
      {.device = way.from_device,
       .participant = message.from,
       .resource = Resource::overhead,
       .nominal_s = profile.send_overhead_s,
       .asked_s = now,
       .then_s = handshake_s,
       .turn = turn(Turn::Kind::send, message.from, message.to, connection),
       .token = token(Phase::send_overhead, id)});
}

Turn TimedFabric::turn(Turn::Kind kind, int rank, int peer, std::uint32_t connection) const {
  const int participants = job_.world.ranks + job_.world.extras;
  return {kind, difference(turns_, rank, peer, participants),
          execution_->connection(connection).channel};
}

void TimedFabric::ask(Servers& servers, Phase serve, const ServerRequest& request) {
  if (request.nominal_s == 0) return begin_use(request, servers.use(request));
  if (servers.ask(request)) {
    network_.at(Servers::end_of_instant_s(network_.now()), token(serve, 0));
  }
}

void TimedFabric::serve(Servers& servers) {
  servers.serve([this](const ServerRequest& request, ServerUse use) { begin_use(request, use); });
}

void TimedFabric::begin_use(const ServerRequest& request, ServerUse use) {
  const Phase phase = phase_of(request.token);
  const auto id = static_cast<std::uint32_t>(request.token);
  if (keeps_timings_) {
    switch (phase) {
      case Phase::send_overhead:
        timings_[id].send_busy_s = use.end_s - use.begin_s;
        break;
      case Phase::receive_overhead:
        timings_[id].receive_busy_s = use.end_s - use.begin_s;
        break;
      case Phase::reduction:
        timings_[id].reduce_begin_s = use.begin_s;
        timings_[id].reduce_end_s = use.end_s;
        break;
      default:
        slot(locals_, id) = {request.asked_s, use.begin_s, use.end_s, request.nominal_s};
    }
  }
  wait_until(use.end_s + request.then_s, phase, id);
}

void TimedFabric::start_bytes(MessageId id) {
  const Message& message = execution_->message(id);
  Way& way = ways_[message.connection];
  const double wire = payload_bytes(message) * way.wire_bytes_per_byte;
  if (keeps_timings_) {
    timings_[id].overhead_end_s = network_.now();
    timings_[id].full_rate_s = wire / way.full_rate_bytes_per_s;
    if (way.changes) {
      timings_[id].slow_link_s = std::max(wire / rate_now(way) - timings_[id].full_rate_s, 0.0);
    }
  }
  if (way.same_device) {  // a local copy
    // Never from within the request: the Execution still builds on the message not having moved.
    network_.at(network_.now() + wire / way.full_rate_bytes_per_s, token(Phase::local_bytes, id));
    return;
  }
  way.wire_bytes += wire;
  network_.start_flow(way.path, wire, token(Phase::flow, id));
}

void TimedFabric::flow_finished(std::uint64_t token) {
  const auto id = static_cast<MessageId>(token);
  const double latency = latency_s(ways_[execution_->message(id).connection]);
  end_s_ = network_.now();
  if (keeps_timings_) timings_[id].sent_s = end_s_;
  const double out_s = end_s_ + latency;
  least_latency_s_ = std::min(least_latency_s_, latency);
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
  ask(cpus_, Phase::serve_cpus,
      {.device = ways_[message.connection].to_device,
       .participant = message.to,
       .resource = Resource::overhead,
       .nominal_s = overhead_s,
       .asked_s = network_.now(),
       .turn = turn(Turn::Kind::receive, message.to, message.from, message.connection),
       .token = token(Phase::receive_overhead, id)});
}

void TimedFabric::arrive(MessageId id) {
  end_s_ = network_.now();
  if (keeps_timings_) timings_[id].arrived_s = end_s_;
  execution_->arrived(id);
}

void TimedFabric::reduce(MessageId id, const Message& message) {
  const double nominal_s =
      job_.profile.reduction_launch_s + payload_bytes(message) * job_.profile.gamma_s_per_byte();
  if (keeps_timings_) {
    timings_[id].reduce_s = nominal_s;
    timings_[id].reduce_ready_s = network_.now();
  }
  ask(reducers_, Phase::serve_reducers,
      {.device = static_cast<std::uint32_t>(device_of(message.to)),
       .participant = message.to,
       .resource = Resource::reduction,
       .nominal_s = nominal_s,
       .asked_s = network_.now(),
       .turn = turn(Turn::Kind::receive, message.to, message.from, message.connection),
       .token = token(Phase::reduction, id)});
}

void TimedFabric::perform(OpId id, int participant, const Operation& operation) {
  const auto bytes = static_cast<double>(operation.range.count * job_.world.element_bytes);
  const Profile& profile = job_.profile;
  const double nominal_s = operation.kind == OpKind::compute ? operation.cost_s
                           : operation.kind == OpKind::copy
                               ? bytes / profile.copy_bytes_per_s
                               : profile.reduction_launch_s + bytes * profile.gamma_s_per_byte();
  const Resource resource =
      operation.kind == OpKind::compute ? Resource::compute : Resource::reduction;
  ask(reducers_, Phase::serve_reducers,
      {.device = static_cast<std::uint32_t>(device_of(participant)),
       .participant = participant,
       .resource = resource,
       .nominal_s = nominal_s,
       .asked_s = network_.now(),
       .turn = {.kind = Turn::Kind::local,
                .strand = execution_->strand_path(execution_->op(id).strand)},
       .token = token(Phase::local, id)});
}

void TimedFabric::sleep(std::uint32_t strand, double seconds) {
  // Never from within the request, however short.
  network_.at(network_.now() + std::max(seconds, 0.0), token(Phase::sleep, strand));
}

void TimedFabric::timer_fired(std::uint64_t token) {
  const auto id = static_cast<std::uint32_t>(token);
  switch (phase_of(token)) {
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
    case Phase::sleep:
      end_s_ = network_.now();
      return execution_->woke(id);
    case Phase::serve_cpus:
      return serve(cpus_);
    case Phase::serve_reducers:
      return serve(reducers_);
  }
}

void TimedFabric::come_soon(std::span<const std::uint64_t> tokens) {
  soon_.clear();
  for (const std::uint64_t token : tokens) {
    if (phase_of(token) < Phase::local) {
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
