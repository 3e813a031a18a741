#pragma once

#include <unordered_map>
#include <vector>

#include "algorithms/execution/execution.h"
#include "sim/trace/trace.h"
#include "sim/transport/timed_fabric.h"

namespace reducelab {

/// Writes down everything that happens in a run. Memory grows with the messages, so it is attached
/// only when a trace or an explanation is asked for.
class TraceRecorder final : public ExecutionObserver {
 public:
  /// All four must outlive the recorder.
  TraceRecorder(const Job& job, const Execution& execution, TimedFabric& fabric,
                const Network& network);

  void op_posted(OpId id, int participant, const PostedOp& op, const Operation& operation) override;
  void message_started(MessageId id, const Message& message) override;
  void message_sent(MessageId id, const Message& message, const Range& source) override;
  void reduction_started(MessageId id, const Message& message) override;
  void message_done(MessageId id, const Message& message, const Range& target) override;
  void local_started(OpId id, int participant, const Operation& operation) override;
  void local_done(OpId id, int participant, const Operation& operation) override;

  void strand_started(std::uint32_t strand, std::uint32_t parent, int participant) override;

  /// The trace of the finished run; call once.
  Trace take();

 private:
  std::uint32_t route_number(const Route& route);

  const Job& job_;
  const Execution& execution_;
  const TimedFabric& fabric_;
  const Network& network_;
  Trace trace_;
  std::vector<std::uint32_t> message_record_;  ///< by MessageId
  std::vector<std::uint32_t> local_record_;    ///< by OpId
  std::vector<double> posted_s_;               ///< by OpId
  std::unordered_map<const Route*, std::uint32_t> route_numbers_;
};

}  // namespace reducelab
