// The part of Execution for programs whose course depends on time: recv_any and sleep.
#include <algorithm>
#include <compare>

#include "algorithms/execution/execution.h"
#include "core/error.h"

namespace reducelab {

void Execution::post_any(std::uint32_t id, const Operation& operation) {
  Strand& strand = strands_[id];
  strand.state = Strand::State::awaiting;
  Operation receive = operation;
  receive.kind = operation.cost_s > 0 ? OpKind::recv_reduce : OpKind::recv;
  receive.cost_s = 0;
  auto any = std::make_unique<Strand::AnyReceive>();
  for (const int peer : strand.program.any_peers()) {
    receive.peer = peer;
    const std::uint32_t number = connection_of(strand, receive);
    if (!any_of_.try_emplace(number, id).second) {
      throw run_error("{} awaits a message from {} twice at once",
                      participant_name(world_, strand.participant), participant_name(world_, peer));
    }
    connections_[number].wanted_by_any = true;
    any->connections.push_back(number);
  }
  if (any->connections.empty()) {
    throw run_error("{} awaits a message from nobody",
                    participant_name(world_, strand.participant));
  }
  const OpId op_id = any->op = ops_.take(receive);
  strand.any = std::move(any);
  PostedOp& op = ops_[op_id];
  op.serial = ++operations_;
  op.strand = id;
  op.depth = strand.base_depth;
  ++strand.incomplete;
  strand.scoreboard.enter(ops_, op_id);
  for (ExecutionObserver* observer : observers_) {
    observer->op_posted(op_id, strand.participant, op, receive);
  }
  offer_any(id);
}

/// Lets the connections that a strand awaits have its receive, if one of them has use for it now:
/// the eager message that started first, or else the send that was posted first.
void Execution::offer_any(std::uint32_t id) {
  const OpId recv = strands_[id].any->op;
  struct Candidate {
    bool waits_to_be_sent;
    std::uint64_t serial;
    std::uint32_t connection;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<Candidate> candidates;
  for (const std::uint32_t number : strands_[id].any->connections) {
    const Connection& connection = connections_[number];
    if (connection.unmatched_inbound != kNone) {
      candidates.push_back({false, inflight_[connection.unmatched_inbound].serial, number});
    } else if (connection.first_send != kNone && ops_[connection.first_send].blockers == 0) {
      candidates.push_back({true, ops_[connection.first_send].serial, number});
    }
  }
  std::ranges::sort(candidates);
  for (const Candidate& candidate : candidates) {
    if (!candidate.waits_to_be_sent) {
      take_receive(connections_[candidate.connection], candidate.connection, recv);
      return match_eager(candidate.connection, recv);
    }
    // Not if its range still has to wait.
    try_start(candidate.connection);
    if (!connections_[candidate.connection].wanted_by_any) return;
  }
}

/// The receive that the next message of a connection would be matched with; kNone if there is none.
OpId Execution::receive_for(const Connection& connection, std::uint32_t number) const {
  if (connection.first_recv != kNone || !connection.wanted_by_any) return connection.first_recv;
  return strands_[any_of_.at(number)].any->op;
}

/// Takes a receive off its connection's queue, or off all connections that might have had it.
void Execution::take_receive(Connection& connection, std::uint32_t number, OpId recv) {
  if (connection.first_recv == recv) {
    connection.first_recv = ops_[recv].next;
    return;
  }
  Strand::AnyReceive& any = *strands_[any_of_.at(number)].any;
  const auto taken = std::ranges::find(any.connections, number);
  any.taken_by = static_cast<std::size_t>(taken - any.connections.begin());
  for (const std::uint32_t other : any.connections) {
    connections_[other].wanted_by_any = false;
    any_of_.erase(other);
  }
  ops_[recv].place = number;
  ++connection.posted_recvs;
}

/// Resumes a strand whose wait is over, through the queue.
void Execution::go_on(std::uint32_t id) {
  strands_[id].state = Strand::State::running;
  enter({Event::Kind::start, id, cause_});
}

}  // namespace reducelab
