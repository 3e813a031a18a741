#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cli/simulated_point.h"
#include "sim/trace/run_spec.h"

namespace reducelab {

/// An algorithm (bytes < 0) or one size of it that cannot be compared, and why; not a failure.
struct SkippedPoint {
  std::string algorithm;
  std::int64_t bytes = -1;
  std::string reason;
};

/// Which jobs a comparison runs: size by size, every algorithm.
struct ComparePlan {
  std::vector<std::string> algorithms;
  std::vector<std::int64_t> sizes;
  int ranks = 0;
  std::vector<SkippedPoint> skipped;
  std::vector<RunSpec> jobs;  ///< jobs[s * algorithms.size() + a]
};

/// Plans `names` (a comma-separated list, or `all`) times `sizes` on what `common` describes; each
/// algorithm gets those of `params` that it takes. With `all`, an algorithm that refuses the job is
/// skipped; everything else that does not fit is a usage Error.
ComparePlan make_compare_plan(const std::string& names, const std::vector<std::int64_t>& sizes,
                              const RunSpec& common,
                              const std::map<std::string, std::string>& params);

/// What points are ordered by: failed trials first, for the others say nothing of the hard cases
/// that they leave out; then a figure of which less is better.
using Standing = std::pair<std::size_t, double>;

/// By time; nothing without a result.
std::optional<Standing> standing_by_time(const SimulatedPoint& point);
/// By slowdown, without the rounding noise by which equal ones differ.
std::optional<Standing> standing_by_slowdown(const SimulatedPoint& point);

/// The point of each size whose standing is least (the first listed among equals; null if none has
/// one), in the order of the sizes.
std::vector<const SimulatedPoint*> least_points(
    const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
    const std::function<std::optional<Standing>(const SimulatedPoint&)>& standing);

/// The fastest point of each size that has one.
std::vector<const SimulatedPoint*> best_points(const ComparePlan& plan,
                                               const std::vector<SimulatedPoint>& points);

}  // namespace reducelab
