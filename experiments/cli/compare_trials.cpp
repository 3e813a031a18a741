#include <algorithm>

#include "core/units.h"
#include "experiments/cli/compare_table.h"
#include "experiments/cli/trial_figures.h"
#include "experiments/cli/trial_report.h"
#include "experiments/cli/trial_wins.h"
#include "experiments/report/table.h"

namespace reducelab {

std::string compare_trials_table(const ComparePlan& plan,
                                 const std::vector<SimulatedPoint>& points) {
  std::vector<TextColumn> columns{{"size"}, {"algorithm", Align::left}, {"wins"}};
  const std::vector<Wins> wins = wins_of(plan, points);
  const bool shared = std::ranges::any_of(wins, [](const Wins& w) { return w.shared > 0; });
  const bool failed =
      std::ranges::any_of(points, [](const auto& p) { return !p.trials->failed.empty(); });
  if (shared) columns.push_back({"shared"});
  if (failed) columns.push_back({"failed"});
  for (const TrialFigure& figure : kTrialFigures) {
    columns.push_back({std::string(figure.name)});
    columns.push_back({"95 % interval", Align::left});
  }
  TextTable table(columns);
  const std::size_t width = plan.algorithms.size();
  for (std::size_t first = 0; first < points.size(); first += width) {
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < first + width; ++i) {
      if (points[i].result) order.push_back(i);
    }
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return *standing_by_time(points[i]); });
    for (const std::size_t i : order) {
      const SimulatedPoint& point = points[i];
      std::vector<std::string> cells{format_bytes(point.spec.bytes), point.spec.algorithm,
                                     std::to_string(wins[i].alone)};
      if (shared) cells.push_back(std::to_string(wins[i].shared));
      if (failed) cells.push_back(std::to_string(point.trials->failed.size()));
      for (const TrialFigure& figure : kTrialFigures) {
        const Estimate& estimate = *point.trials->statistics.*figure.estimate;
        cells.push_back(brief(estimate.value_s));
        cells.push_back(interval_text(estimate));
      }
      table.add_row(std::move(cells));
    }
  }
  return table.to_text();
}

std::string slowdown_table(const ComparePlan& plan, const std::vector<SimulatedPoint>& points,
                           bool colour) {
  const CompareTable table(plan, CompareMetric::slowdown, colour);
  std::string text =
      "# slowdown against a healthy cluster; * marks who suffers least\n" + table.head();
  const std::size_t width = plan.algorithms.size();
  for (std::size_t first = 0; first < points.size(); first += width) {
    text += table.row(std::span(points).subspan(first, width));
  }
  return text;
}

}  // namespace reducelab
