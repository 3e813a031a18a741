#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/scenario/pulse_train.h"
#include "topologies/topology.h"

namespace reducelab {

/// What a link can do at some time.
struct LinkState {
  double bandwidth_bytes_per_s = 0;  ///< while it is up
  double extra_latency_s = 0;        ///< on top of the topology's
  bool up = true;
  bool operator==(const LinkState&) const = default;
};

/// What happens to links while a rule holds.
struct LinkEffect {
  double bandwidth_factor = 1;
  std::optional<double> bandwidth_bytes_per_s;  ///< in place of the topology's
  double extra_latency_s = 0;
  bool down = false;
};

/// The links that change, and when. Rules on one link combine: factors multiply, extra latencies
/// add, of several bandwidths the least counts, and down wins.
class LinkTimelines {
 public:
  void add(const Topology& topology, std::span<const LinkId> links, const PulseTrain& when,
           const LinkEffect& effect);

  bool empty() const { return links_.empty(); }
  /// The links that any rule names, ascending; all others stay as the topology has them.
  std::span<const LinkId> links() const { return links_; }
  bool changes(LinkId link) const { return rules_of_link_.contains(link); }

  /// The state of one of `links()` at t, changes at t included.
  LinkState at(LinkId link, double t) const;
  /// The next time after t at which a rule begins or ceases to hold; infinite if none does.
  double next_change_after(double t) const;
  /// The links whose rules begin or cease to hold at exactly t, ascending.
  std::vector<LinkId> links_changing_at(double t) const;

 private:
  struct Rule {
    PulseTrain when;
    LinkEffect effect;
    std::vector<LinkId> links;
  };
  struct RulesOfLink {
    double bandwidth_bytes_per_s;  // the topology's
    std::vector<std::size_t> rules;
  };

  std::vector<Rule> rules_;
  std::vector<LinkId> links_;
  std::unordered_map<LinkId, RulesOfLink> rules_of_link_;
};

}  // namespace reducelab
