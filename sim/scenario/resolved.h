#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scenario/background_source.h"
#include "sim/scenario/link_timeline.h"
#include "sim/scenario/rank_timeline.h"
#include "sim/scenario/scenario.h"
#include "topologies/topology.h"

namespace reducelab {

/// A failure at its time; a device or participant that failed before is not named again.
struct ResolvedFailure {
  double at_s = 0;
  std::vector<DeviceId> devices;
  std::vector<int> participants;  ///< those placed on the devices, ascending
  std::vector<LinkId> links;      ///< of the devices: they carry nothing any more
};

/// What a scenario means on one topology with one placement and seed.
struct ResolvedScenario {
  std::vector<RankTimeline> timelines;    ///< one per participant; empty if all are plain
  std::vector<double> arrival_s;          ///< one per participant; empty if all start at time 0
  LinkTimelines links;                    ///< without failures
  std::vector<ResolvedFailure> failures;  ///< in time order
  FailurePolicy failure_policy;
  std::vector<DeviceId> spares;  ///< with FailureResponse::spare: places not used, in rank order
  std::vector<BackgroundSource> traffic;

  /// True if nothing misbehaves.
  bool empty() const;
  /// True if any link ever differs from the topology's.
  bool changes_links() const { return !links.empty() || !failures.empty(); }
  /// The timeline of a participant, plain if none is.
  const RankTimeline& timeline(int participant) const;
};

/// Finds what a scenario's names mean and draws its random numbers, one stream per purpose and
/// rank. `placement` holds the devices of the ranks and then those of further participants, which
/// no rank set contains. Whatever is impossible is a usage Error at the place it came from.
ResolvedScenario resolve(const Scenario& scenario, const Topology& topology,
                         std::span<const DeviceId> placement, int ranks, std::uint64_t seed);

}  // namespace reducelab
