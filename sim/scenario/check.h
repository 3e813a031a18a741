#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace reducelab {

/// Why a disturbance is impossible on any cluster, and which of its keys says so.
struct Fault {
  std::string_view key;
  std::string why;  ///< goes on after the key: "must be above 0, not -1"
};

/// The first fault of a disturbance; none if it is possible.
std::optional<Fault> fault_of(const Distribution& distribution);
std::optional<Fault> fault_of(const SlowRank& slow);
std::optional<Fault> fault_of(const Delay& delay);
std::optional<Fault> fault_of(const Noise& noise);
std::optional<Fault> fault_of(const Arrival& arrival);
std::optional<Fault> fault_of(const SlowLink& slow);
std::optional<Fault> fault_of(const LinkDown& down);
std::optional<Fault> fault_of(const FlappingLink& flapping);
std::optional<Fault> fault_of(const Failure& failure);
std::optional<Fault> fault_of(const FailurePolicy& policy);
std::optional<Fault> fault_of(const BackgroundTraffic& traffic);

/// Throws the first fault of a scenario as a usage Error with the line it came from.
void require_possible(const Scenario& scenario);

}  // namespace reducelab
