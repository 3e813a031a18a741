#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

enum class Severity : std::uint8_t { warning, error };

/// Something wrong with a topology, and what to do about it.
struct TopologyFinding {
  Severity severity;
  std::string message;
  std::string what_to_do;
};

/// Looks for endpoints that cannot reach one another, no endpoint, zero or absurd capacity, cables
/// with one direction missing or different, unbalanced rails, and devices without links.
std::vector<TopologyFinding> check_topology(const Topology& topology);

/// The text of `topology show`: counts, link classes, bisection bandwidth, example routes.
std::string describe_topology(const Topology& topology);

}  // namespace reducelab
