#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

/// The links that a selector means, ascending: the one of that name; else with `*` or `?` all that
/// match; else for `rank 3` all at that rank's device; else for `a->b` all from device a to b (a
/// half-duplex link counts both ways). Anything else, or nothing found, is a usage Error with "did
/// you mean". `placement` holds the devices of ranks 0 to ranks - 1 first.
std::vector<LinkId> select_links(std::string_view selector, const Topology& topology,
                                 std::span<const DeviceId> placement, int ranks);

/// All links at a device, ascending.
std::vector<LinkId> links_at(const Topology& topology, DeviceId device);

/// The device of that name; otherwise a usage Error with "did you mean".
DeviceId find_named_device(const Topology& topology, std::string_view name);

}  // namespace reducelab
