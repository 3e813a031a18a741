#include "experiments/cli/trial_report.h"

#include <algorithm>

#include "core/units.h"
#include "experiments/cli/trial_figures.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

std::size_t least_trials(const TrialFigure& figure) {
  return figure.quantile > 0 ? trials_for_quantile(figure.quantile) : 2;
}

std::string_view data_of_first(const RunSpec& spec) {
  return spec.data == DataMode::automatic ? "; data is moved in the first" : "";
}

std::string failed_line(const SimulatedPoint& point) {
  const std::vector<FailedTrial>& failed = point.trials->failed;
  std::vector<std::string> seeds;
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(failed.size(), kShown); ++i) {
    seeds.push_back(std::to_string(failed[i].seed));
  }
  if (failed.size() > kShown) seeds.push_back(fmt::format("{} more", failed.size() - kShown));
  return fmt::format("{} {}: {} of {} trials failed and are in no figure (seeds {}); the first: {}",
                     point.spec.algorithm, format_bytes(point.spec.bytes), failed.size(),
                     point.trials->times_s.size(), fmt::join(seeds, ", "),
                     failed.front().error.message());
}

}  // namespace

std::string factor_text(double factor) {
  return factor < 100 ? fmt::format("{:.3f}", factor) : fmt::format("{:.6g}", factor);
}

std::vector<std::string> point_lines(const SimulatedPoint& point) {
  std::vector<std::string> lines;
  if (point.trials) {
    const std::size_t count = point.trials->times_s.size();
    lines.push_back(fmt::format("trials    {}: seeds {} to {}; the time below is their mean{}",
                                count, point.trials->first_seed,
                                point.trials->first_seed + count - 1, data_of_first(point.spec)));
  }
  if (const auto factor = point.slowdown()) {
    lines.push_back(fmt::format("slowdown  {} times the {} of a healthy cluster",
                                factor_text(*factor), format_duration(*point.healthy_s())));
  } else if (point.healthy && std::holds_alternative<Error>(*point.healthy)) {
    lines.push_back(fmt::format("slowdown  unknown: the run on a healthy cluster failed: {}",
                                std::get<Error>(*point.healthy).what()));
  }
  return lines;
}

std::string trials_table(const SimulatedPoint& point) {
  const TrialStatistics& statistics = point.trials->statistics.value();
  TextTable table({{"trials", Align::left}, {"time"}, {"95 % interval", Align::left}});
  for (const TrialFigure& figure : kTrialFigures) {
    const Estimate& estimate = statistics.*figure.estimate;
    table.add_row({std::string(figure.name), brief(estimate.value_s),
                   estimate.interval ? interval_text(estimate)
                                     : fmt::format("takes {} trials", least_trials(figure))});
  }
  table.add_row({"least", brief(statistics.least_s), ""});
  table.add_row({"most", brief(statistics.most_s), ""});
  return table.to_text();
}

std::string trials_notes(const std::vector<SimulatedPoint>& points) {
  std::string text =
      "# intervals that of the mean is Student's t, those of quantiles are order statistics\n";
  const std::size_t count = points.front().trials->times_s.size();
  std::vector<std::string> lacking;
  for (const TrialFigure& figure : kTrialFigures) {
    if (count >= least_trials(figure)) continue;
    lacking.push_back(fmt::format("{} (takes {})", figure.name, least_trials(figure)));
  }
  if (!lacking.empty()) {
    text += fmt::format("# intervals {} {} too few for one of {}\n", count,
                        count == 1 ? "trial is" : "trials are", fmt::join(lacking, ", "));
  }
  const auto varies = [](const SimulatedPoint& point) {
    const auto& statistics = point.trials->statistics;
    // Simulating one rank for all differs from simulating all by rounding.
    return statistics && statistics->most_s > statistics->least_s * (1 + 1e-9);
  };
  if (count > 1 && std::ranges::none_of(points, varies)) {
    text += "# trials    all gave the same time: nothing that is random changes this job\n";
  }
  const auto failed = [](const SimulatedPoint& point) { return point.failed_trials() > 0; };
  if (points.size() > 1 && std::ranges::any_of(points, failed)) {
    text += "# trials    fewer failures rank first, whatever the times of the other trials\n";
  }
  for (const SimulatedPoint& point : points) {
    if (point.result && failed(point)) {
      text += fmt::format("# FAILED    {}\n", failed_line(point));
    }
  }
  return text;
}

}  // namespace reducelab
