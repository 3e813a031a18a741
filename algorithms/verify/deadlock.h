#pragma once

#include <set>
#include <vector>

#include "algorithms/execution/logical_fabric.h"
#include "algorithms/verify/finding.h"
#include "algorithms/verify/participant_programs.h"

namespace reducelab {

/// One run of all programs in a world without time.
class TrialRun {
 public:
  TrialRun(const World& world, const ExecutionLimits& limits) : execution_(world, limits, fabric_) {
    fabric_.attach(execution_);
  }

  /// Runs until everything is done or stuck, and returns who is stuck.
  std::vector<BlockedParticipant> run(const ParticipantPrograms& programs);
  Execution& execution() { return execution_; }

 private:
  LogicalFabric fabric_;
  Execution execution_;
};

/// Explains a run that got stuck under rendezvous: names the cycle (V6), and the window or the
/// eager threshold (V7) that the programs silently depend on, if there is one. `sizes` are the
/// different sizes of messages in elements. Returns limits under which the programs complete;
/// `limits` as they are if there are none.
ExecutionLimits explain_deadlock(const World& world, const ParticipantPrograms& programs,
                                 const ExecutionLimits& limits, const std::set<std::int64_t>& sizes,
                                 const std::vector<BlockedParticipant>& blocked,
                                 FindingList& findings);

}  // namespace reducelab
