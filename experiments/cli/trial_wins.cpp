#include "experiments/cli/trial_wins.h"

namespace reducelab {

std::vector<Wins> wins_of(const ComparePlan& plan, const std::vector<SimulatedPoint>& points) {
  std::vector<Wins> wins;
  const std::size_t width = plan.algorithms.size();
  for (std::size_t first = 0; first + width <= points.size(); first += width) {
    std::vector<std::vector<std::optional<double>>> times_s;
    for (std::size_t i = first; i < first + width; ++i)
      times_s.push_back(points[i].trials->times_s);
    const std::vector<Wins> of_size = paired_wins(times_s);
    wins.insert(wins.end(), of_size.begin(), of_size.end());
  }
  return wins;
}

}  // namespace reducelab
