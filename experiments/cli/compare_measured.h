#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/compare_plan.h"
#include "experiments/importers/measured_run.h"
#include "experiments/report/prediction_error.h"

namespace reducelab {

/// The all-reduce test of a benchmark log to hold a comparison against.
struct MeasuredLog {
  std::string file;
  MeasuredRun run;
  std::vector<std::string> warnings;  ///< the log's own, and how it differs from what is simulated
};

/// Reads a log; one without an all-reduce test is a usage Error.
MeasuredLog read_measured_log(const std::string& file);

/// A comparison held against a log.
struct MeasuredComparison {
  std::string algorithm;  ///< the one asked for, or several with commas; "": only the best
  PredictionError error;
  std::vector<std::string> warnings;
};

/// `algorithm` is one of the plan's, several with commas (of which a library picks the fastest), or
/// "".
MeasuredComparison compare_with_log(const ComparePlan& plan,
                                    const std::vector<SimulatedPoint>& points,
                                    const MeasuredLog& log, const std::string& algorithm);

/// Predicted, measured and relative error per size, then the median and the 90th percentile.
std::string measured_report(const MeasuredComparison& comparison, const MeasuredLog& log);

}  // namespace reducelab
