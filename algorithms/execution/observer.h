#pragma once

#include "algorithms/execution/fabric.h"

namespace reducelab {

/// Sees what happens in an Execution, in the order in which it happens. References are valid during
/// the call only. Data moves at these points: capture a message's payload in `message_sent`, put it
/// in place (copy it into `target`, or reduce it) in `message_done`, do local work in `local_done`.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  virtual void op_posted(OpId, int /*participant*/, const PostedOp&, const Operation&) {}
  virtual void message_started(MessageId, const Message&) {}
  virtual void message_sent(MessageId, const Message&, const Range& /*source*/) {}
  virtual void message_arrived(MessageId, const Message&) {}
  virtual void reduction_started(MessageId, const Message&) {}
  virtual void message_done(MessageId, const Message&, const Range& /*target*/) {}
  virtual void local_started(OpId, int /*participant*/, const Operation&) {}
  virtual void local_done(OpId, int /*participant*/, const Operation&) {}
  virtual void participant_done(int /*participant*/) {}

  /// A strand begins; `parent` is the strand that spawned it, or kNone for a main strand.
  virtual void strand_started(std::uint32_t /*strand*/, std::uint32_t /*parent*/,
                              int /*participant*/) {}
  /// A fence or a spawn: all that the strand posted is done.
  virtual void strand_fenced(std::uint32_t /*strand*/) {}
  /// A join: all that the strand posted is done, and so are all strands that it spawned.
  virtual void strand_joined(std::uint32_t /*strand*/) {}
  /// The strand's program is at its end, its operations are done, and so are its strands.
  virtual void strand_done(std::uint32_t /*strand*/) {}
};

}  // namespace reducelab
