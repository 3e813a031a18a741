#pragma once

#include <string_view>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

/// How ranks are laid out: node after node, one per node in turn, or as listed.
enum class PlacementKind : std::uint8_t { block, cyclic, explicit_ };

/// The kind of `block`, `cyclic` or a list such as `0,8,1,9`; anything else is a usage Error.
PlacementKind parse_placement_kind(std::string_view placement);

/// The device of each participant: first the ranks, then the extra ones (e.g. parameter servers),
/// which take the following unused endpoints. A list holds indices into `topology.endpoints()`, one
/// per rank (or one per participant). Throws a usage Error if there are too few places, or for a
/// duplicate or an index out of range.
std::vector<DeviceId> place_ranks(const Topology& topology, int ranks, std::string_view placement,
                                  int extra_participants = 0);

/// Ranks that share a chassis, in order of first appearance; a device with node -1 is alone.
std::vector<std::vector<int>> ranks_by_node(const Topology& topology,
                                            const std::vector<DeviceId>& placement, int ranks);

}  // namespace reducelab
