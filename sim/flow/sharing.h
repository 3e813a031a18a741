#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/execution/pool.h"
#include "sim/transport/network.h"
#include "topologies/topology.h"

namespace reducelab {

/// A transfer in progress. One cache line.
struct alignas(64) Flow {
  double left_bytes = 0;  ///< at `since_s`
  double rate_bytes_per_s = 0;
  double since_s = 0;
  double due_s = 0;    ///< when it ends if nothing changes
  double event_s = 0;  ///< when its event fires, at `due_s` or before
  std::uint64_t token = 0;
  PathId path = 0;
  std::uint32_t first_hop = 0;
  std::uint32_t event_tag = 0;  ///< an event with another tag is out of date
  std::uint32_t mark = 0;       ///< the last solution that it was part of
};
static_assert(sizeof(Flow) == 64);

using FlowId = std::uint32_t;

/// Which flows use which links, and what is fair among them: max-min fairness by progressive
/// filling (Bertsekas and Gallager, Data Networks, 6.5.2), with a bound on each flow. Only the
/// part of the graph that hangs together with a change is solved anew, once for all changes of an
/// instant; a flow that is alone on its links is not solved at all.
class Sharing {
 public:
  explicit Sharing(std::span<const Link> links);

  /// Makes a path along `links` whose flows are bounded by `cap_bytes_per_s` each.
  PathId open_path(std::span<const LinkId> links, double cap_bytes_per_s);

  Flow& operator[](FlowId flow) { return flows_[flow]; }

  /// Changes a link's bandwidth; 0 stops its flows.
  void set_bandwidth(LinkId link, double bytes_per_s);

  /// Calls `visit(FlowId)` for each flow there is.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const SharedLink& link : links_) {
      for (std::uint32_t hop = link.first_hop; hop != kNone; hop = hops_[hop].next) {
        if (flows_[hops_[hop].flow].first_hop == hop) visit(hops_[hop].flow);
      }
    }
  }

  /// Puts a flow on a path; it has no rate until the next `settle`.
  FlowId start(PathId path);
  /// Takes a flow out.
  void end(FlowId flow);

  /// Fetches memory for an `end` that comes soon: first the flow, some time later what it uses.
  void prefetch(FlowId id) const { __builtin_prefetch(&flows_[id]); }
  void prefetch_hops(FlowId id) const { __builtin_prefetch(&hops_[flows_[id].first_hop]); }

  /// Finds the rates after all that started and ended; calls `set_rate(FlowId, bytes_per_s)` for
  /// each flow whose rate is another than before.
  template <class SetRate>
  void settle(SetRate set_rate) {
    if (!dirty_links_.empty()) {
      solve();
      for (std::size_t i = 0; i < part_flows_.size(); ++i) {
        Flow& flow = flows_[part_flows_[i]];
        if (flow.rate_bytes_per_s != part_rates_[i]) set_rate(part_flows_[i], part_rates_[i]);
      }
    }
    for (const Started& started : started_) {
      const Flow& flow = flows_[started.flow];
      if (started.alone && flow.mark != solution_ && started.rate_bytes_per_s > 0)
        set_rate(started.flow, started.rate_bytes_per_s);
    }
    started_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = Pool<int>::kNone;
  struct SharedLink {
    double bytes_per_s = 0;
    std::uint32_t flows = 0;
    std::uint32_t first_hop = kNone;
    std::uint32_t mark = 0;  ///< the last solution that it was part of
    std::uint32_t part_index = 0;
  };
  /// A flow's use of a link, in the link's list of its users.
  struct Hop {
    FlowId flow;
    std::uint32_t link;
    std::uint32_t previous, next;
  };
  struct Path {
    std::uint32_t first;  ///< in path_links_
    std::uint32_t hops;
    double cap_bytes_per_s;
  };
  struct Started {
    FlowId flow;
    bool alone;
    double rate_bytes_per_s;  ///< if it is still alone when all is settled
  };
  /// What is left of a link while rates are handed out.
  struct Left {
    double bytes_per_s;
    std::uint32_t flows;
    std::uint32_t link;
    double share() const { return bytes_per_s > 0 ? bytes_per_s / flows : 0; }
  };
  struct Candidate {
    double share;
    std::uint32_t index;  ///< in left_
  };

  void solve();
  void gather();
  void make_dirty(std::uint32_t link);
  void fix(std::size_t flow, double rate);

  std::vector<SharedLink> links_;
  std::vector<std::uint32_t> path_links_;
  std::vector<Path> paths_;
  Pool<Flow> flows_;
  std::vector<Hop> hops_;
  std::vector<std::vector<std::uint32_t>> free_hops_;  ///< by length of the path: first hops
  std::vector<Started> started_;
  std::vector<std::uint32_t> dirty_links_;
  std::uint32_t solution_ = 1;  ///< number of the current solution

  // The part of the graph that is being solved.
  std::vector<FlowId> part_flows_;
  std::vector<double> part_rates_;  ///< negative: not found yet
  std::vector<Left> left_;
  std::vector<Candidate> heap_;
  std::vector<std::uint32_t> by_cap_;        ///< indices of part_flows_
  std::vector<std::uint32_t> part_of_flow_;  ///< FlowId -> index of part_flows_
};

}  // namespace reducelab
