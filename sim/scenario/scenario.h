#pragma once

#include <string>
#include <vector>

#include "sim/scenario/arrival.h"
#include "sim/scenario/background_traffic.h"
#include "sim/scenario/failure.h"
#include "sim/scenario/link_change.h"
#include "sim/scenario/rank_disturbance.h"

namespace reducelab {

/// How a cluster misbehaves, by names; `resolve` finds what they mean on a given topology. Random
/// numbers of a disturbance depend on its number among its kind: add new ones at the end.
struct Scenario {
  std::string name;
  std::string description;
  std::vector<SlowRank> slow_ranks;
  std::vector<Delay> delays;
  std::vector<Noise> noises;
  std::vector<Arrival> arrivals;
  std::vector<SlowLink> slow_links;
  std::vector<LinkDown> links_down;
  std::vector<FlappingLink> flapping_links;
  std::vector<Failure> failures;
  std::vector<BackgroundTraffic> traffic;
  FailurePolicy failure_policy;

  /// True if nothing misbehaves.
  bool empty() const {
    return slow_ranks.empty() && delays.empty() && noises.empty() && arrivals.empty() &&
           slow_links.empty() && links_down.empty() && flapping_links.empty() && failures.empty() &&
           traffic.empty();
  }
  bool operator==(const Scenario&) const = default;
};

}  // namespace reducelab
