#include "experiments/report/paired_wins.h"

#include <limits>

namespace reducelab {

std::vector<Wins> paired_wins(std::span<const std::vector<std::optional<double>>> times_s) {
  constexpr double kEqual = 1e-9;  // symmetric algorithms differ by rounding alone
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Wins> wins(times_s.size());
  const std::size_t trials = times_s.empty() ? 0 : times_s.front().size();
  for (std::size_t trial = 0; trial < trials; ++trial) {
    double least_s = kInfinity;
    for (const auto& times : times_s) least_s = std::min(least_s, times[trial].value_or(kInfinity));
    std::vector<std::size_t> fastest;
    for (std::size_t i = 0; i < times_s.size(); ++i) {
      const auto& time_s = times_s[i][trial];
      if (time_s && *time_s <= least_s * (1 + kEqual)) fastest.push_back(i);
    }
    for (const std::size_t i : fastest) ++(fastest.size() == 1 ? wins[i].alone : wins[i].shared);
  }
  return wins;
}

}  // namespace reducelab
