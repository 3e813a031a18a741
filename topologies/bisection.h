#pragma once

#include <optional>

#include "topologies/topology.h"

namespace reducelab {

/// Bytes per second that the first half of the endpoints (in rank order) can send to the second
/// half at once: the maximum flow between them. No value for fewer than two endpoints, or for more
/// than 20000 links, where it would take long.
std::optional<double> bisection_bytes_per_s(const Topology& topology);

}  // namespace reducelab
