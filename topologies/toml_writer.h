#pragma once

#include <string>

#include "topologies/topology.h"

namespace reducelab {

/// The topology as a file of `[[device]]` and `[[link]]` tables; reading it gives an equal
/// topology, to the last bit of every number.
std::string write_topology_toml(const Topology& topology);

}  // namespace reducelab
