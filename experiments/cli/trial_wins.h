#pragma once

#include <vector>

#include "experiments/cli/compare_plan.h"
#include "experiments/report/paired_wins.h"

namespace reducelab {

/// By point, how often its algorithm was the fastest at its size. All algorithms have the same
/// seeds, so each trial is one cluster that all of them meet.
std::vector<Wins> wins_of(const ComparePlan& plan, const std::vector<SimulatedPoint>& points);

}  // namespace reducelab
