#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/run_result.h"
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

/// What became of one job of the plan: a result, or why there is none.
struct ComparedPoint {
  std::string algorithm;
  std::int64_t bytes = 0;
  std::optional<RunResult> result;
  std::optional<Error> failure;
};

/// The fastest result of each size (the first listed among equals), in the order of the sizes.
std::vector<const RunResult*> best_results(const ComparePlan& plan,
                                           const std::vector<ComparedPoint>& points);

}  // namespace reducelab
