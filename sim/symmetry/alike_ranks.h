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

  /// A device was asked for work by two sources at one instant and made one of them wait. Which one
  /// is a matter of how a run of all ranks numbers its events, so no rank can stand for the others.
  class TieWatch {
   public:
    /// `source` asks at `now_s` for something that can begin at `begin_s`.
    void ask(std::uint64_t source, double now_s, double begin_s);
    bool seen() const { return seen_; }

   private:
    struct Asked {
      std::uint64_t source = ~std::uint64_t{0};
      double at_s = -1;
    };
    Asked last_;    ///< who asked last
    Asked before_;  ///< the last other one
    bool seen_ = false;
  };
  TieWatch overheads;
  TieWatch reductions;

  /// False once something has happened that need not be the same for all ranks.
  bool hold() const { return routes_hold_ && !overheads.seen() && !reductions.seen(); }

 private:
  AlikeRanks(const Job& job, Relabelling group);

  const Job& job_;
  Relabelling group_;
  TopologySymmetry links_;
  std::unordered_map<int, Route> routes_;
  bool routes_hold_ = true;
};

}  // namespace reducelab
