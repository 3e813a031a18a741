#pragma once

#include <span>
#include <vector>

#include "algorithms/verify/execution_log.h"

namespace reducelab {

/// For every operation of a run, the earlier ones of its strand that it must wait for because of
/// hazards on ranges, whatever the timing: enough of them that the rest follows by transitivity.
/// (The scoreboard knows only those that were not done yet when the operation was posted.)
class HazardEdges {
 public:
  explicit HazardEdges(const ExecutionLog& log);

  std::span<const LogIndex> before(LogIndex op) const {
    return {edges_.data() + first_[op], edges_.data() + first_[op + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<LogIndex> edges_;
};

/// Two operations of one participant that no timing may let overlap, in the order in which they
/// happened in the run.
struct ConflictingPair {
  LogIndex first = kNone;
  LogIndex second = kNone;
  bool by_connection = false;  ///< they use one end of a connection, not one range
};

/// The pairs of operations of different strands of one participant that touch overlapping ranges,
/// at least one of them writing, or that use the same end of a connection one after the other.
std::vector<ConflictingPair> conflicts_between_strands(const ExecutionLog& log);

}  // namespace reducelab
