#pragma once

#include <string>
#include <vector>

#include "experiments/cli/compare_measured.h"
#include "experiments/cli/compare_plan.h"

namespace reducelab {

/// The whole comparison as one object `reducelab.compare/1`: `rows` are results as `run` gives
/// them, `best` the fastest per size, `failed` and `skipped` the points without a result;
/// `measured` is null without a log.
std::string compare_json(const ComparePlan& plan, const std::vector<ComparedPoint>& points,
                         const MeasuredLog* log, const MeasuredComparison* measured);

}  // namespace reducelab
