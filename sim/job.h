#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "sim/scenario/resolved.h"
#include "sim/trace/run_spec.h"
#include "sim/transport/profile.h"
#include "topologies/topology.h"

namespace reducelab {

/// A run with every name resolved: programs, topology, placement, message, profile and seed.
struct Job {
  RunSpec spec;  ///< as asked for, with defaults filled in
  const Algorithm* algorithm = nullptr;
  World world;
  Topology topology;
  std::vector<DeviceId> placement;  ///< participant -> device
  Profile profile;
  Protocol protocol;  ///< the one of the profile that this run uses
  ResolvedScenario scenario;
  /// Rank -> the rank of the spec whose vector it holds: not the same once failed ranks are left
  /// out.
  std::vector<int> identity;
};

/// Resolves a spec; everything that does not fit is a usage Error.
Job make_job(const RunSpec& spec);

/// The same job without some participants (shrink): the remaining ranks are numbered anew, in
/// order. Throws a run Error if the algorithm cannot do with so few.
Job without(const Job& job, const std::vector<int>& participants);

/// The same job with other devices in the places of some participants (spare).
Job with_replacements(const Job& job, const std::vector<int>& participants,
                      const std::vector<DeviceId>& devices);

}  // namespace reducelab
