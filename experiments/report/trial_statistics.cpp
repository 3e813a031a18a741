#include "experiments/report/trial_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "experiments/report/probability.h"

namespace reducelab {
namespace {

constexpr double kTail = (1 - kConfidence) / 2;

Estimate mean_estimate(std::span<const double> sorted_s) {
  const auto n = static_cast<double>(sorted_s.size());
  // Relative to the least: equal times then have just their own mean, without rounding.
  const double least_s = sorted_s.front();
  double sum_s = 0;
  for (const double time_s : sorted_s) sum_s += time_s - least_s;
  Estimate mean{least_s + sum_s / n, {}};
  if (sorted_s.size() < 2) return mean;
  double squares = 0;
  for (const double time_s : sorted_s) squares += std::pow(time_s - mean.value_s, 2);
  const double half_s =
      student_t_quantile(1 - kTail, n - 1) * std::sqrt(squares / (n - 1)) / std::sqrt(n);
  mean.interval = {mean.value_s - half_s, mean.value_s + half_s};
  return mean;
}

}  // namespace

Estimate quantile_estimate(std::span<const double> sorted_s, double p) {
  const auto n = static_cast<std::int64_t>(sorted_s.size());
  const auto at_rank = [&](std::int64_t rank) {
    return sorted_s[static_cast<std::size_t>(rank - 1)];
  };
  // Without the slack, 0.95 * 20 would round up to rank 20.
  const auto nearest = static_cast<std::int64_t>(std::ceil(static_cast<double>(n) * p - 1e-9));
  Estimate estimate{at_rank(std::clamp<std::int64_t>(nearest, 1, n)), {}};
  // The number of times below the true quantile is binomial; each tail gets half of what is left.
  std::int64_t low = 0;
  while (low < n && binomial_cdf(low, n, p) <= kTail) ++low;
  std::int64_t high = n + 1;
  while (high > low && 1 - binomial_cdf(high - 2, n, p) <= kTail) --high;
  if (low >= 1 && high <= n) estimate.interval = {at_rank(low), at_rank(high)};
  return estimate;
}

std::size_t trials_for_quantile(double p) {
  return static_cast<std::size_t>(std::ceil(std::log(kTail) / std::log(std::max(p, 1 - p))));
}

TrialStatistics trial_statistics(std::vector<double> times_s) {
  if (times_s.empty()) throw Error(ErrorCode::bug, "statistics of no trials");
  std::ranges::sort(times_s);
  TrialStatistics statistics;
  statistics.trials = times_s.size();
  statistics.mean = mean_estimate(times_s);
  statistics.p50 = quantile_estimate(times_s, 0.50);
  statistics.p95 = quantile_estimate(times_s, 0.95);
  statistics.p99 = quantile_estimate(times_s, 0.99);
  statistics.least_s = times_s.front();
  statistics.most_s = times_s.back();
  return statistics;
}

}  // namespace reducelab
