#pragma once

#include <memory>
#include <unordered_map>

#include "algorithms/relabelling.h"
#include "sim/job.h"
#include "topologies/router.h"
#include "topologies/symmetry.h"

namespace reducelab {

/// Ranks that one rank can stand for: programs, placement, devices and links are unchanged when all
/// ranks are relabelled together. All of them then do the same thing at every moment.
class AlikeRanks {
 public:
  /// Null if the job's ranks are not all alike. `job` must outlive the result.
  static std::unique_ptr<AlikeRanks> find(const Job& job);

  Relabelling group() const { return group_; }

  /// The route from rank 0 to rank `to`, along classes of links instead of links: as many times
  /// along a class as messages from every rank to its own counterpart of `to` cross each link of
  /// it. Valid as long as this.
  const Route& route(Router& router, int to);

  /// False once something has happened that need not be the same for all ranks.
  bool hold() const { return routes_hold_; }

 private:
  AlikeRanks(const Job& job, Relabelling group);

  const Job& job_;
  Relabelling group_;
  TopologySymmetry links_;
  std::unordered_map<int, Route> routes_;
  bool routes_hold_ = true;
};

}  // namespace reducelab
