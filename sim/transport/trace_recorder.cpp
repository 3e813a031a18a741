#include "sim/transport/trace_recorder.h"

#include <algorithm>

namespace reducelab {
namespace {

template <class T>
T& slot(std::vector<T>& records, std::uint32_t id) {
  if (records.size() <= id) records.resize(id + id / 2 + 16);
  return records[id];
}

}  // namespace

TraceRecorder::TraceRecorder(const Job& job, const Execution& execution, TimedFabric& fabric,
                             const Network& network)
    : job_(job), execution_(execution), fabric_(fabric), network_(network) {
  for (int id = 0; id < static_cast<int>(job.placement.size()); ++id) {
    trace_.participants.push_back(participant_name(job.world, id));
  }
  trace_.links.assign(job.topology.links().begin(), job.topology.links().end());
  trace_.start_s.assign(job.placement.size(), 0);
  fabric.keep_timings();
}

void TraceRecorder::op_posted(OpId id, int, const PostedOp&, const Operation&) {
  slot(posted_s_, id) = network_.now();
}

std::uint32_t TraceRecorder::route_number(const Route& route) {
  const auto [found, is_new] =
      route_numbers_.try_emplace(&route, static_cast<std::uint32_t>(trace_.routes.size()));
  if (is_new) trace_.routes.push_back(route.links);
  return found->second;
}

void TraceRecorder::message_started(MessageId id, const Message& message) {
  slot(message_record_, id) = static_cast<std::uint32_t>(trace_.messages.size());
  TraceMessage& record = trace_.messages.emplace_back();
  record.from = message.from;
  record.to = message.to;
  record.channel = execution_.connection(message.connection).channel;
  record.bytes = message.count * job_.world.element_bytes;
  record.send = execution_.op(message.send).serial;
  record.start_cause = execution_.cause();
}

void TraceRecorder::message_sent(MessageId id, const Message& message, const Range&) {
  trace_.messages[message_record_[id]].route = route_number(fabric_.route(message.connection));
}

void TraceRecorder::reduction_started(MessageId id, const Message&) {
  trace_.messages[message_record_[id]].done_cause = execution_.cause();
}

void TraceRecorder::message_done(MessageId id, const Message& message, const Range&) {
  TraceMessage& record = trace_.messages[message_record_[id]];
  record.reduces = message.reduces;
  record.recv = execution_.op(message.recv).serial;
  record.recv_posted_s = posted_s_[message.recv];
  if (!message.reduces) record.done_cause = execution_.cause();
  record.done_s = network_.now();
  record.timing = fabric_.timing(id);
}

void TraceRecorder::local_started(OpId id, int participant, const Operation& operation) {
  slot(local_record_, id) = static_cast<std::uint32_t>(trace_.locals.size());
  TraceLocal& record = trace_.locals.emplace_back();
  record.participant = participant;
  record.kind = operation.kind;
  record.bytes = operation.range.count * job_.world.element_bytes;
  record.op = execution_.op(id).serial;
  record.start_cause = execution_.cause();
}

void TraceRecorder::local_done(OpId id, int, const Operation&) {
  trace_.locals[local_record_[id]].timing = fabric_.local_timing(id);
}

void TraceRecorder::strand_started(std::uint32_t, std::uint32_t parent, int participant) {
  if (parent == kNone) trace_.start_s[static_cast<std::size_t>(participant)] = network_.now();
}

Trace TraceRecorder::take() {
  trace_.link_bytes = fabric_.link_bytes();
  trace_.floor_s = job_.protocol.floor_s;
  trace_.end_s = std::max(fabric_.end_s(), trace_.floor_s);
  return std::move(trace_);
}

}  // namespace reducelab
