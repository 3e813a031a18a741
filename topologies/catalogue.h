#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

struct TopologyParameter {
  std::string name;
  std::string default_value;
  std::string description;
};

/// A name that a topology argument may start with.
struct TopologyEntry {
  std::string name;
  std::string description;  ///< one sentence
  std::vector<TopologyParameter> parameters;
  bool preset = false;  ///< a file of topologies/clusters/, not a bare builder
};

/// All presets, then all builders.
std::span<const TopologyEntry> topology_catalogue();

/// The topology that an argument means: a preset or builder with parameters
/// (`dgx-h100:nodes=4`, `single-switch:hosts=64,bandwidth=100Gbps,latency=1us`) or a file
/// (`my.toml`). Presets and builder calls are named after the argument. Throws a usage Error.
Topology resolve_topology(std::string_view argument);

}  // namespace reducelab
