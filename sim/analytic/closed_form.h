#pragma once

#include <optional>

#include "sim/job.h"

namespace reducelab {

/// The alpha-beta-gamma machine that comes nearest to a job's cluster under a protocol: alpha is
/// the mean over ring neighbours of latency and overheads, beta the narrowest of their paths (over
/// all parallel ports of a node if the algorithm uses several channels), gamma the profile's
/// reduction.
struct MachineModel {
  CostModel cost;
  bool uniform = false;  ///< every pair is alike and has ports of its own: the closed form is exact
};

MachineModel machine_model(const Job& job, const Protocol& protocol);

/// The closed form of the job's algorithm on that machine, with the protocol's floor; empty if the
/// registry has none. `exact` only where a simulation must agree to 1e-9.
std::optional<ClosedForm> closed_form(const Job& job);

/// The same as an estimate for choosing between protocols; without a closed form, a ring's.
double estimate_time_s(const Job& job, const Protocol& protocol);

}  // namespace reducelab
