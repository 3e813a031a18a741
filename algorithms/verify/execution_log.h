#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/execution/execution.h"

namespace reducelab {

/// Number of an operation in posting order, from 0.
using LogIndex = std::uint32_t;

/// What is kept of one operation of a run.
struct LoggedOp {
  Range range;
  Range source;
  std::int32_t participant = 0;
  std::int32_t peer = -1;
  std::uint32_t strand = 0;
  std::uint32_t connection = kNone;
  LogIndex partner = kNone;  ///< of a receive: the send that it was matched with
  std::uint32_t step = 0;    ///< of a message: see number_steps
  OpKind kind = OpKind::compute;

  bool is_receive() const { return kind == OpKind::recv || kind == OpKind::recv_reduce; }
};

/// Records a run: all operations in posting order, and all that happened in the order in which it
/// happened. A send is done when its bytes have left, a receive when they are in place.
class ExecutionLog final : public ExecutionObserver {
 public:
  struct Event {
    enum class Kind : std::uint8_t { done, started, fenced, joined, ended };
    Kind kind = Kind::done;
    std::uint32_t id = 0;  ///< LogIndex of what is done, or the strand
  };
  struct LoggedStrand {
    std::uint32_t parent = kNone;
    std::int32_t participant = 0;
    std::int32_t number = 0;  ///< among its participant's strands; the main one is 0
  };

  explicit ExecutionLog(const World& world)
      : strands_of_(static_cast<std::size_t>(world.ranks + world.extras), 0) {}

  const std::vector<LoggedOp>& ops() const { return ops_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<LoggedStrand>& strands() const { return strands_; }
  /// How many strands a participant ran in all.
  int strands_of(int participant) const {
    return strands_of_[static_cast<std::size_t>(participant)];
  }

  void set_step(LogIndex op, std::uint32_t step) { ops_[op].step = step; }

  void op_posted(OpId id, int participant, const PostedOp& op, const Operation& operation) override;
  void message_sent(MessageId id, const Message& message, const Range& source) override;
  void message_done(MessageId id, const Message& message, const Range& target) override;
  void local_done(OpId id, int participant, const Operation& operation) override;
  void strand_started(std::uint32_t strand, std::uint32_t parent, int participant) override;
  void strand_fenced(std::uint32_t strand) override;
  void strand_joined(std::uint32_t strand) override;
  void strand_done(std::uint32_t strand) override;

 private:
  std::vector<LoggedOp> ops_;
  std::vector<Event> events_;
  std::vector<LoggedStrand> strands_;
  std::vector<int> strands_of_;
  std::vector<LogIndex> index_of_op_;      // by OpId
  std::vector<LogIndex> send_of_message_;  // by MessageId
};

/// `sends [0, 5) to rank 2 (step 3)`: what an operation does, for a finding.
std::string describe(const World& world, const LoggedOp& op);

}  // namespace reducelab
