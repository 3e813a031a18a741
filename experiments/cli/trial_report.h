#pragma once

#include <string>
#include <vector>

#include "experiments/cli/compare_plan.h"

namespace reducelab {

/// `1.53`: how many times as long.
std::string factor_text(double factor);

/// What `run` says above its table about trials and the healthy cluster.
std::vector<std::string> point_lines(const SimulatedPoint& point);

/// Mean, quantiles and extremes of a point's trials, each with its interval.
std::string trials_table(const SimulatedPoint& point);

/// The same for a comparison, a row per point, with how often each algorithm won; size by size, the
/// least mean first.
std::string compare_trials_table(const ComparePlan& plan,
                                 const std::vector<SimulatedPoint>& points);

/// How many times as long as on a healthy cluster each point took: rows are sizes, columns
/// algorithms, `*` marks who suffers least.
std::string slowdown_table(const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
                           bool colour);

/// `# ` lines: how intervals are found and which take more trials, whether anything was random,
/// and which trials failed.
std::string trials_notes(const std::vector<SimulatedPoint>& points);

}  // namespace reducelab
