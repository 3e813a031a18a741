#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "sim/scenario/resolved.h"
#include "topologies/catalogue.h"
#include "topologies/placement.h"

namespace reducelab {

/// The one-line text of the usage Error that `action` throws; fails the test if it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

/// Four leaves of eight hosts, h0 to h31, and two spines.
inline Topology four_by_eight() {
  return resolve_topology("leaf-spine:leaves=4,hosts=8,spines=2,bandwidth=100Gbps,latency=1us");
}

/// Resolves for the first ranks of a topology.
inline ResolvedScenario resolve_on(const Scenario& scenario, const Topology& topology,
                                   int ranks = 32, std::uint64_t seed = 1) {
  return resolve(scenario, topology, place_ranks(topology, ranks, "block"), ranks, seed);
}

}  // namespace reducelab
