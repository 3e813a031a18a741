#pragma once

#include <string>
#include <vector>

#include "experiments/cli/compare_measured.h"
#include "experiments/cli/compare_plan.h"

namespace reducelab {

/// The whole comparison as one object `reducelab.compare/1`: `rows` are results as `run` gives
/// them (of the first trial), `best` the fastest per size (by the mean of the trials), `failed` and
/// `skipped` the points without a result, `suffers_least` the smallest slowdown per size; `trials`
/// are the statistics of each point, null without `--trials`; `measured` is null without a log.
std::string compare_json(const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
                         const MeasuredLog* log, const MeasuredComparison* measured);

}  // namespace reducelab
