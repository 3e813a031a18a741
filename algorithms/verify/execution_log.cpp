#include "algorithms/verify/execution_log.h"

#include <fmt/format.h>

#include "algorithms/verify/participant_programs.h"

namespace reducelab {
namespace {

template <class T>
T& grown(std::vector<T>& items, std::size_t index) {
  if (items.size() <= index) items.resize(index + 1);
  return items[index];
}

}  // namespace

void ExecutionLog::op_posted(OpId id, int participant, const PostedOp& op,
                             const Operation& operation) {
  grown(index_of_op_, id) = static_cast<LogIndex>(ops_.size());
  LoggedOp& logged = ops_.emplace_back();
  logged.range = operation.range;
  logged.source = operation.source;
  logged.participant = participant;
  logged.peer = operation.peer;
  logged.strand = op.strand;
  if (op.is_message()) logged.connection = op.place;
  logged.kind = operation.kind;
}

void ExecutionLog::message_sent(MessageId id, const Message& message, const Range&) {
  const LogIndex send = index_of_op_[message.send];
  grown(send_of_message_, id) = send;
  events_.push_back({Event::Kind::done, send});
}

void ExecutionLog::message_done(MessageId id, const Message& message, const Range&) {
  const LogIndex recv = index_of_op_[message.recv];
  ops_[recv].partner = send_of_message_[id];
  events_.push_back({Event::Kind::done, recv});
}

void ExecutionLog::local_done(OpId id, int, const Operation&) {
  events_.push_back({Event::Kind::done, index_of_op_[id]});
}

void ExecutionLog::strand_started(std::uint32_t strand, std::uint32_t parent, int participant) {
  grown(strands_, strand) = {parent, participant,
                             strands_of_[static_cast<std::size_t>(participant)]++};
  events_.push_back({Event::Kind::started, strand});
}
void ExecutionLog::strand_fenced(std::uint32_t strand) {
  events_.push_back({Event::Kind::fenced, strand});
}
void ExecutionLog::strand_joined(std::uint32_t strand) {
  events_.push_back({Event::Kind::joined, strand});
}
void ExecutionLog::strand_done(std::uint32_t strand) {
  events_.push_back({Event::Kind::ended, strand});
}

std::string describe(const World& world, const LoggedOp& op) {
  const std::string range = range_name(op.range);
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("sends {} to {} (step {})", range, participant_name(world, op.peer),
                         op.step);
    case OpKind::recv:
      return fmt::format("receives {} from {} (step {})", range, participant_name(world, op.peer),
                         op.step);
    case OpKind::recv_reduce:
      return fmt::format("receives and reduces {} from {} (step {})", range,
                         participant_name(world, op.peer), op.step);
    case OpKind::copy:
      return fmt::format("copies {} to {}", range_name(op.source), range);
    case OpKind::reduce:
      return fmt::format("reduces {} into {}", range_name(op.source), range);
    default:
      return std::string(name_of(op.kind)) + "s";
  }
}

}  // namespace reducelab
