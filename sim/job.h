#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/registry.h"
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
  Protocol protocol;             ///< the one of the profile that this run uses
  std::vector<double> slowness;  ///< participant -> factor on its overheads and reductions
};

/// Resolves a spec; everything that does not fit is a usage Error.
Job make_job(const RunSpec& spec);

}  // namespace reducelab
