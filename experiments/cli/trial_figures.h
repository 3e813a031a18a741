#pragma once

#include <array>
#include <string>
#include <string_view>

#include "experiments/report/trial_statistics.h"

namespace reducelab {

/// A figure that tables, JSON and CSV show of trials.
struct TrialFigure {
  std::string_view name;
  Estimate TrialStatistics::*estimate;
  double quantile;  ///< 0: the mean
};
inline constexpr std::array<TrialFigure, 4> kTrialFigures{{{"mean", &TrialStatistics::mean, 0},
                                                           {"p50", &TrialStatistics::p50, 0.50},
                                                           {"p95", &TrialStatistics::p95, 0.95},
                                                           {"p99", &TrialStatistics::p99, 0.99}}};

/// A time in four digits: trials vary in the second or third.
std::string brief(double seconds);

/// `1ms .. 2ms`, or `-` if there is none.
std::string interval_text(const Estimate& estimate);

}  // namespace reducelab
