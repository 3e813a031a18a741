#pragma once

#include <string>
#include <vector>

#include "experiments/cli/compare_plan.h"
#include "experiments/report/paired_wins.h"

namespace reducelab {

/// The result as one JSON object `reducelab.run/1`, with `healthy_s` and `slowdown` (null: unknown)
/// beside what a result has itself. Needs a result.
std::string point_json(const SimulatedPoint& point);

/// The point's trials as one JSON object: every time and failure, and the statistics; with `wins`
/// if there are others to win against.
std::string trials_json(const SimulatedPoint& point, const Wins* wins);

/// A CSV line for each point with statistics of its trials, below the names of the columns.
std::string trials_csv_header();
std::string trials_csv_row(const SimulatedPoint& point, const Wins* wins);

}  // namespace reducelab
