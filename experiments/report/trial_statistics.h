#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace reducelab {

/// The confidence of every interval here.
inline constexpr double kConfidence = 0.95;

struct Interval {
  double low_s = 0;
  double high_s = 0;
};

/// What trials say about a figure, and where it lies with a confidence of 95 %; no interval if they
/// are too few for one.
struct Estimate {
  double value_s = 0;
  std::optional<Interval> interval;
};

/// Times of independent trials of one job. The interval of the mean is Student's t; those of
/// quantiles lie between order statistics, whatever the distribution (binomial; Conover, Practical
/// Nonparametric Statistics, 3rd ed., section 3.2). A quantile is the nearest rank: the smallest
/// time that a share p of the trials does not exceed.
struct TrialStatistics {
  std::size_t trials = 0;
  Estimate mean;
  Estimate p50;
  Estimate p95;
  Estimate p99;
  double least_s = 0;
  double most_s = 0;
};

/// `times_s` in any order, at least one.
TrialStatistics trial_statistics(std::vector<double> times_s);

/// The quantile of share `p` of sorted times, with its interval.
Estimate quantile_estimate(std::span<const double> sorted_s, double p);

/// How many trials an interval for the quantile of share `p` takes: 6 for p50, 72 for p95, 368 for
/// p99.
std::size_t trials_for_quantile(double p);

}  // namespace reducelab
