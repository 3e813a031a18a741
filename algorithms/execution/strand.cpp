// The half of Execution that pulls programs and ends their operations.
#include <algorithm>
#include <utility>

#include "algorithms/execution/execution.h"
#include "core/rng.h"

namespace reducelab {

void Execution::start(int id, Program program) {
  ++live_participants_;
  const std::uint32_t strand = add_strand(std::move(program), id, kNone);
  enter({Event::Kind::start, strand, 0});
}

std::uint32_t Execution::add_strand(Program program, int participant, std::uint32_t parent) {
  const std::uint32_t id = strands_.take();
  Strand& strand = strands_[id];
  strand.program = std::move(program);
  strand.participant = participant;
  strand.parent = parent;
  ++strands_of_[static_cast<std::size_t>(participant)];
  for (ExecutionObserver* observer : observers_) observer->strand_started(id, parent, participant);
  return id;
}

void Execution::pull(std::uint32_t id) {
  Strand& strand = strands_[id];
  strand.state = Strand::State::running;
  while (strand.state == Strand::State::running) {
    if (!strand.program.next()) {
      strand.state = Strand::State::exhausted;
      break;
    }
    const Operation& operation = strand.program.operation();
    switch (operation.kind) {
      case OpKind::fence:
        strand.state = Strand::State::fence;
        break;
      case OpKind::spawn:
        strand.state = Strand::State::before_spawn;
        break;
      case OpKind::join:
        strand.state = Strand::State::join;
        break;
      case OpKind::now:
        strand.program.answer(fabric_.now_s());
        continue;
      case OpKind::sleep:
        strand.state = Strand::State::awaiting;
        fabric_.sleep(id, operation.cost_s);
        return;
      case OpKind::recv_any:
        post_any(id, operation);
        return;
      default: {
        if (operation.kind != OpKind::compute && operation.range.empty()) continue;
        const std::uint32_t connection =
            is_message(operation.kind) ? connection_of(strand, operation) : kNone;
        if (connection != kNone && wait_for_slot(id, operation, connection)) return;
        post(id, operation, connection);
      }
    }
  }
  strand_progress(id);
}

/// True, with the strand left waiting, if the operation's connection has no free slot.
bool Execution::wait_for_slot(std::uint32_t id, const Operation& operation, std::uint32_t number) {
  Connection& connection = connections_[number];
  const bool sends = operation.kind == OpKind::send;
  if ((sends ? connection.posted_sends : connection.posted_recvs) < limits_.window) return false;
  Strand& strand = strands_[id];
  strand.state = Strand::State::full_window;
  strand.waiting_on = number;
  std::uint32_t* tail = sends ? &connection.send_waiter : &connection.recv_waiter;
  while (*tail != kNone) tail = &strands_[*tail].next_waiter;
  *tail = id;
  return true;
}

void Execution::post(std::uint32_t id, const Operation& operation, std::uint32_t number) {
  Strand& strand = strands_[id];
  const OpId op_id = ops_.take(operation);
  PostedOp& op = ops_[op_id];
  op.serial = ++operations_;
  op.strand = id;
  if (number != kNone) op.place = number;
  op.depth = strand.base_depth;
  ++strand.incomplete;
  strand.scoreboard.enter(ops_, op_id);
  for (ExecutionObserver* observer : observers_) {
    observer->op_posted(op_id, strand.participant, op, operation);
  }
  if (number == kNone) return post_local(id, op_id);

  Connection& connection = connections_[number];
  if (operation.kind == OpKind::send) {
    ++connection.posted_sends;
    (connection.first_send == kNone ? connection.first_send : ops_[connection.last_send].next) =
        op_id;
    connection.last_send = op_id;
    try_start(number);
  } else {
    ++connection.posted_recvs;
    if (connection.unmatched_inbound != kNone) {
      match_eager(number, op_id);
    } else {
      (connection.first_recv == kNone ? connection.first_recv : ops_[connection.last_recv].next) =
          op_id;
      connection.last_recv = op_id;
      try_start(number);
    }
  }
}

void Execution::post_local(std::uint32_t id, OpId op) {
  Strand& strand = strands_[id];
  (strand.first_local == kNone ? strand.first_local : ops_[strand.last_local].next) = op;
  strand.last_local = op;
  try_local(id);
}

/// Goes on with a strand that waits for its own operations or children, if they are done.
void Execution::strand_progress(std::uint32_t id) {
  Strand& strand = strands_[id];
  const bool idle = strand.incomplete == 0;
  switch (strand.state) {
    case Strand::State::fence:
      if (!idle) return;
      for (ExecutionObserver* observer : observers_) observer->strand_fenced(id);
      break;
    case Strand::State::before_spawn:
      if (!idle) return;
      for (ExecutionObserver* observer : observers_) observer->strand_fenced(id);
      strand.base_depth = std::max(strand.base_depth, strand.done_depth);
      spawn(id);
      break;
    case Strand::State::join:
      if (!idle || strand.live_children != 0) return;
      for (ExecutionObserver* observer : observers_) observer->strand_joined(id);
      break;
    case Strand::State::exhausted:
      if (idle && strand.live_children == 0 && !strand.finished) strand_finished(id);
      return;
    case Strand::State::running:
    case Strand::State::full_window:
    case Strand::State::awaiting:
      return;
  }
  strand.base_depth = std::max(strand.base_depth, strand.done_depth);
  // Through the queue, so that a long chain of fences does not become a deep recursion.
  go_on(id);
}

void Execution::spawn(std::uint32_t id) {
  Strand& parent = strands_[id];
  ++parent.live_children;
  const std::uint32_t child = add_strand(parent.program.take_spawned(), parent.participant, id);
  strands_[child].base_depth = parent.base_depth;
  strands_[child].path = scatter_bits(parent.path + ++parent.children);
  enter({Event::Kind::start, child, cause_});
}

void Execution::strand_finished(std::uint32_t id) {
  Strand& strand = strands_[id];
  const int participant = strand.participant;
  const std::uint32_t depth = std::max(strand.base_depth, strand.done_depth);
  const std::uint32_t parent_id = strand.parent;
  strand.finished = true;
  const Program frees_its_frame = std::move(strand.program);
  for (ExecutionObserver* observer : observers_) observer->strand_done(id);
  if (--strands_of_[static_cast<std::size_t>(participant)] == 0) {
    --live_participants_;
    for (ExecutionObserver* observer : observers_) observer->participant_done(participant);
  }
  if (parent_id == kNone) return;
  Strand& parent = strands_[parent_id];
  --parent.live_children;
  parent.done_depth = std::max(parent.done_depth, depth);
  strand_progress(parent_id);
}

/// Ends an operation: frees its ranges and its slot, and lets everything go on that waited for it.
void Execution::complete(OpId id) {
  const PostedOp& op = ops_[id];
  const std::uint32_t strand_id = op.strand;
  const std::uint32_t connection_id = op.is_message() ? op.place : kNone;
  const bool was_send = op.kind == OpKind::send;
  {
    Strand& strand = strands_[strand_id];
    strand.scoreboard.leave(op);
    strand.done_depth = std::max(strand.done_depth, op.depth);
    --strand.incomplete;
  }
  ops_.release(id, [this](OpId waiter) { on_ready(waiter); });
  ops_.give_back(id);
  if (Strand& strand = strands_[strand_id]; strand.any && strand.any->op == id) {
    strand.program.answer(static_cast<double>(strand.any->taken_by));
    strand.any.reset();
    go_on(strand_id);
  }
  if (connection_id != kNone) {
    Connection& connection = connections_[connection_id];
    --(was_send ? connection.posted_sends : connection.posted_recvs);
    wake(was_send ? connection.send_waiter : connection.recv_waiter);
  }
  strand_progress(strand_id);
}

/// Gives a freed slot to the strand that has waited longest for it.
void Execution::wake(std::uint32_t& waiter) {
  if (waiter == kNone) return;
  const std::uint32_t id = waiter;
  Strand& strand = strands_[id];
  waiter = std::exchange(strand.next_waiter, kNone);
  const std::uint32_t connection = std::exchange(strand.waiting_on, kNone);
  strand.state = Strand::State::running;
  post(id, strand.program.operation(), connection);
  if (strand.state == Strand::State::running) pull(id);
}

void Execution::try_local(std::uint32_t strand_id) {
  Strand& strand = strands_[strand_id];
  const OpId id = strand.first_local;
  if (strand.local_running || id == kNone || ops_[id].blockers != 0) return;
  strand.local_running = true;
  const Operation operation = local_operation(ops_[id]);
  for (ExecutionObserver* observer : observers_) {
    observer->local_started(id, strand.participant, operation);
  }
  fabric_.perform(id, strand.participant, operation);
}

void Execution::handle_finished(OpId id) {
  const std::uint32_t strand_id = ops_[id].strand;
  Strand& strand = strands_[strand_id];
  strand.local_running = false;
  strand.first_local = ops_[id].next;
  if (!observers_.empty()) {
    const Operation operation = local_operation(ops_[id]);
    for (ExecutionObserver* observer : observers_) {
      observer->local_done(id, strand.participant, operation);
    }
  }
  complete(id);
  try_local(strand_id);
}

}  // namespace reducelab
