// The half of Execution that moves messages, and its report of who is blocked.
#include "algorithms/execution/execution.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"

namespace reducelab {

Execution::Execution(const World& world, ExecutionLimits limits, Fabric& fabric,
                     Relabelling symmetry)
    : world_(world), limits_(limits), symmetry_(symmetry), fabric_(fabric) {
  const auto participants =
      symmetry == Relabelling::none ? static_cast<std::size_t>(world.ranks + world.extras) : 1;
  scratch_buffers_.resize(participants);
  strands_of_.resize(participants, 0);
  bytes_sent_.resize(participants, 0);
  bytes_received_.resize(participants, 0);
  if (limits_.window == 0) throw usage_error("the window must be at least 1 message");
}

Execution::~Execution() = default;

std::size_t Execution::ConnectionHash::operator()(const ConnectionKey& key) const {
  const auto ends = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.from)) << 32) |
                    static_cast<std::uint32_t>(key.to);
  return scatter_bits(ends ^ scatter_bits(key.channel));
}

void Execution::enter(Event event) {
  if (handling_) {
    queue_.push_back(event);
    return;
  }
  struct Guard {
    bool& flag;
    ~Guard() { flag = false; }
  } guard{handling_ = true};
  handle(event);
  if (queue_.empty()) return;
  for (std::size_t next = 0; next < queue_.size(); ++next) handle(queue_[next]);
  queue_.clear();
}

void Execution::handle(Event event) {
  switch (event.kind) {
    case Event::Kind::start:
      cause_ = event.cause;
      return pull(event.id);
    case Event::Kind::sent:
      return handle_sent(event.id);
    case Event::Kind::arrived:
      return handle_arrived(event.id);
    case Event::Kind::reduced:
      return handle_reduced(event.id);
    case Event::Kind::finished:
      cause_ = ops_[event.id].serial;
      return handle_finished(event.id);
    case Event::Kind::woke:
      return go_on(event.id);
  }
}

std::uint32_t Execution::connection_of(Strand& strand, const Operation& operation) {
  const bool outgoing = operation.kind == OpKind::send;
  for (const Strand::KnownConnection& known : strand.known) {
    if (known.peer == operation.peer && known.outgoing == outgoing &&
        known.channel == operation.channel) {
      return known.connection;
    }
  }
  ConnectionKey key{outgoing ? strand.participant : operation.peer,
                    outgoing ? operation.peer : strand.participant, operation.channel};
  if (symmetry_ != Relabelling::none) {
    key = {0, difference(symmetry_, key.from, key.to, world_.ranks), key.channel};
  }
  const auto [found, is_new] = connection_ids_.try_emplace(key, connections_.size());
  if (is_new) {
    const int participants = world_.ranks + world_.extras;
    if (operation.peer < 0 || operation.peer >= participants) {
      throw run_error("{} names participant {} as its peer, but there are only {}",
                      participant_name(world_, strand.participant), operation.peer, participants);
    }
    Connection& connection = connections_[connections_.take()];
    connection.from = key.from;
    connection.to = key.to;
    connection.channel = key.channel;
  }
  constexpr std::size_t kKnown = 8;
  if (strand.known.size() == kKnown) strand.known.erase(strand.known.begin());
  strand.known.push_back({operation.channel, operation.peer, outgoing, found->second});
  return found->second;
}

/// An operation's ranges have become free.
void Execution::on_ready(OpId id) {
  const PostedOp& op = ops_[id];
  switch (op.kind) {
    case OpKind::send:
      return try_start(op.place);
    case OpKind::recv:
    case OpKind::recv_reduce:
      if (op.place == kNone) return offer_any(op.strand);
      try_start(op.place);
      return process_inbound(op.place);
    default:
      return try_local(op.strand);
  }
}

/// Starts the next transfer of a connection if the connection is free, the bytes are ready, and the
/// receive is posted (a plain receive counts as posted once its range is free) or not needed yet.
void Execution::try_start(std::uint32_t number) {
  Connection& connection = connections_[number];
  const OpId send = connection.first_send;
  if (connection.busy || send == kNone || ops_[send].blockers != 0) return;
  const PostedOp& sending = ops_[send];
  const std::int64_t bytes = sending.range.count * world_.element_bytes;
  const OpId recv = receive_for(connection, number);
  const bool posted =
      recv != kNone && (ops_[recv].kind == OpKind::recv_reduce || ops_[recv].blockers == 0);
  if (!posted && bytes > limits_.eager_bytes) return;

  connection.first_send = sending.next;
  connection.busy = true;
  const MessageId id = inflight_.take();
  Message& message = inflight_[id];
  message.from = connection.from;
  message.to = connection.to;
  message.count = sending.range.count;
  message.send = send;
  message.connection = number;
  message.depth = sending.depth + 1;
  message.serial = ++messages_;
  (connection.first_inbound == kNone ? connection.first_inbound
                                     : inflight_[connection.last_inbound].next) = id;
  connection.last_inbound = id;
  if (recv != kNone) {
    take_receive(connection, number, recv);
    match(message, recv);
  } else if (connection.unmatched_inbound == kNone) {
    connection.unmatched_inbound = id;
  }
  bytes_sent_[static_cast<std::size_t>(message.from)] += bytes;
  for (ExecutionObserver* observer : observers_) observer->message_started(id, message);
  fabric_.transfer(id, message);
}

void Execution::match(Message& message, OpId recv) {
  const PostedOp& receive = ops_[recv];
  if (receive.range.count != message.count) {
    throw run_error("{} sends {} elements to {}, which expects {} there (message {} of the run)",
                    participant_name(world_, message.from), message.count,
                    participant_name(world_, message.to), receive.range.count, message.serial);
  }
  message.recv = recv;
  message.reduces = receive.kind == OpKind::recv_reduce;
}

/// Gives a new receive to the first eager message that came without one.
void Execution::match_eager(std::uint32_t number, OpId recv) {
  Connection& connection = connections_[number];
  Message& message = inflight_[connection.unmatched_inbound];
  connection.unmatched_inbound = message.next;
  match(message, recv);
  process_inbound(number);
}

void Execution::handle_sent(MessageId id) {
  Message& message = inflight_[id];
  const OpId send = message.send;
  const std::uint32_t number = message.connection;
  cause_ = ops_[send].serial;
  for (ExecutionObserver* observer : observers_) {
    observer->message_sent(id, message, ops_[send].range);
  }
  message.send = kNone;
  connections_[number].busy = false;
  complete(send);
  try_start(number);
}

void Execution::handle_arrived(MessageId id) {
  Message& message = inflight_[id];
  message.arrived = true;
  if (message.recv != kNone) cause_ = ops_[message.recv].serial;
  bytes_received_[account(message.to)] += message.count * world_.element_bytes;
  steps_ = std::max(steps_, message.depth);
  for (ExecutionObserver* observer : observers_) observer->message_arrived(id, message);
  process_inbound(message.connection);
}

/// Hands arrived messages to their receives, in order; one reduction at a time per connection.
void Execution::process_inbound(std::uint32_t number) {
  for (;;) {
    Connection& connection = connections_[number];
    const MessageId id = connection.first_inbound;
    if (connection.reducing || id == kNone) return;
    Message& message = inflight_[id];
    if (!message.arrived || message.recv == kNone || ops_[message.recv].blockers != 0) return;
    if (message.reduces) {
      connection.reducing = true;
      for (ExecutionObserver* observer : observers_) observer->reduction_started(id, message);
      fabric_.reduce(id, message);
      return;
    }
    finish_inbound(number, id);
  }
}

void Execution::handle_reduced(MessageId id) {
  const std::uint32_t number = inflight_[id].connection;
  cause_ = ops_[inflight_[id].recv].serial;
  connections_[number].reducing = false;
  finish_inbound(number, id);
  process_inbound(number);
}

void Execution::finish_inbound(std::uint32_t number, MessageId id) {
  const Message& message = inflight_[id];
  const OpId recv = message.recv;
  for (ExecutionObserver* observer : observers_) {
    observer->message_done(id, message, ops_[recv].range);
  }
  connections_[number].first_inbound = message.next;
  ops_[recv].depth = std::max(ops_[recv].depth, message.depth);
  inflight_.give_back(id);
  complete(recv);
}

void Execution::prefetch(std::span<const MessageId> messages) const {
  // One pointer further in each round, over all messages, so that they wait for memory together.
  for (const MessageId id : messages) __builtin_prefetch(&inflight_[id]);
  // While the bytes move, the sender goes on next; after that, the receiver.
  const auto next_op = [this](MessageId id) {
    const Message& message = inflight_[id];
    return message.send != kNone ? message.send : message.recv;
  };
  for (const MessageId id : messages) {
    if (const OpId op = next_op(id); op != kNone) __builtin_prefetch(&ops_[op]);
    __builtin_prefetch(&connections_[inflight_[id].connection]);
  }
  const auto each_strand = [&](auto fetch) {
    for (const MessageId id : messages) {
      if (const OpId op = next_op(id); op != kNone) fetch(ops_[op], strands_[ops_[op].strand]);
    }
  };
  each_strand([this](const PostedOp& op, const Strand& strand) {
    __builtin_prefetch(&strand);
    __builtin_prefetch(reinterpret_cast<const char*>(&strand) + 64);
    if (op.first_waiter != kNone) __builtin_prefetch(&ops_[op.first_waiter]);
  });
  each_strand([](const PostedOp&, const Strand& strand) {
    strand.scoreboard.prefetch();
    strand.program.prefetch_root();
  });
  each_strand([](const PostedOp&, const Strand& strand) { strand.program.prefetch_leaf(); });
}

std::string participant_name(const World& world, int participant) {
  return participant < world.ranks ? fmt::format("rank {}", participant)
                                   : fmt::format("server {}", participant - world.ranks);
}

Operation Execution::local_operation(const PostedOp& op) const {
  return {op.kind, -1, 0, op.range, ops_.source(op), ops_.cost_s(op)};
}

std::string Execution::describe(const PostedOp& op) const {
  const Range& range = op.range;
  const std::string where =
      fmt::format("[{}, {}){}", range.first, range.end(),
                  range.buffer ? fmt::format(" of scratch {}", range.buffer) : std::string());
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("waits to send {} to {}", where,
                         participant_name(world_, connections_[op.place].to));
    case OpKind::recv:
    case OpKind::recv_reduce:
      if (op.place == kNone) return fmt::format("waits to receive {} from any of its peers", where);
      return fmt::format("waits to receive {} from {}", where,
                         participant_name(world_, connections_[op.place].from));
    default:
      return fmt::format("waits to {} {}", name_of(op.kind), where);
  }
}

int Execution::peer_of(const PostedOp& op) const {
  if (op.is_local() || op.place == kNone) return -1;
  const Connection& connection = connections_[op.place];
  return op.kind == OpKind::send ? connection.to : connection.from;
}

std::vector<BlockedParticipant> Execution::blocked() const {
  // The oldest unfinished operation of each participant says best what it is stuck on.
  std::vector<OpId> oldest(strands_of_.size(), kNone);
  ops_.for_each([&](OpId id) {
    OpId& best = oldest[static_cast<std::size_t>(strands_[ops_[id].strand].participant)];
    if (best == kNone || ops_[id].serial < ops_[best].serial) best = id;
  });
  std::vector<BlockedParticipant> result;
  for (std::size_t i = 0; i < oldest.size(); ++i) {
    if (strands_of_[i] == 0) continue;
    if (oldest[i] == kNone) {
      result.push_back({static_cast<int>(i), -1, "waits for its strands"});
    } else {
      const PostedOp& op = ops_[oldest[i]];
      result.push_back({static_cast<int>(i), peer_of(op), describe(op)});
    }
  }
  return result;
}

void Execution::require_complete() const {
  if (!done()) {
    const auto stuck = blocked();
    Error error = run_error("deadlock: {} of {} participants cannot finish", stuck.size(),
                            strands_of_.size());
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < stuck.size() && i < kShown; ++i) {
      error.note(participant_name(world_, stuck[i].participant) + " " + stuck[i].reason);
    }
    if (stuck.size() > kShown) error.note(fmt::format("and {} more", stuck.size() - kShown));
    throw error;
  }
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    const Connection& connection = connections_[i];
    if (connection.first_inbound == kNone) continue;
    throw run_error("{} sent a message to {} that was never received",
                    participant_name(world_, connection.from),
                    participant_name(world_, connection.to));
  }
}

}  // namespace reducelab
