#include "experiments/cli/compare_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/cli/point_export.h"
#include "experiments/cli/run_report.h"
#include "experiments/cli/trial_wins.h"
#include "experiments/worker/worker_pool.h"
#include "sim/simulate.h"

namespace reducelab {

CompareRun::CompareRun(const ComparePlan& plan, const Settings& settings)
    : plan_(plan),
      settings_(settings),
      table_(plan, settings.metric, colour_on_stdout()),
      progress_(!settings.output.quiet) {}

void CompareRun::run() {
  if (settings_.output.csv) print(settings_.point.trials ? trials_csv_header() : csv_header());
  std::vector<RunSpec> jobs;
  for (const RunSpec& spec : plan_.jobs) {
    for (RunSpec& job : settings_.point.jobs_of(spec)) jobs.push_back(std::move(job));
  }
  simulations_ = jobs.size();
  run_in_workers(jobs, settings_.at_once, simulate,
                 {[this](std::size_t, const Outcome& outcome) { take(outcome); },
                  [this](std::size_t finished) {
                    finished_ = finished;
                    show_progress();
                  }},
                 settings_.wall_limit_s);
  progress_.clear();
}

void CompareRun::show_progress() {
  if (finished_ == simulations_) return;
  progress_.show(
      fmt::format("{} of {} {}", finished_, simulations_,
                  settings_.point.jobs_per_point() > 1 ? "simulations done" : "points simulated"));
}

void CompareRun::take(const Outcome& outcome) {
  outcomes_.push_back(outcome);
  if (outcomes_.size() < settings_.point.jobs_per_point()) return;
  const RunSpec& spec = plan_.jobs[points_.size()];
  points_.push_back(settings_.point.point_of(spec, std::exchange(outcomes_, {})));
  progress_.clear();
  if (settings_.output.csv) {
    print_csv_row();
  } else if (!settings_.output.json) {
    print_row();
  }
  show_progress();
}

void CompareRun::print_csv_row() {
  if (!settings_.point.trials) {
    if (points_.back().result) print(csv_row(points_.back()));
    return;
  }
  // Who wins is known once all algorithms have been through the size.
  const std::size_t width = plan_.algorithms.size();
  if (points_.size() % width != 0) return;
  const std::vector<Wins> wins =
      wins_of(plan_, {points_.end() - static_cast<std::ptrdiff_t>(width), points_.end()});
  for (std::size_t a = 0; a < width; ++a) {
    print(trials_csv_row(points_[points_.size() - width + a], &wins[a]));
  }
}

void CompareRun::print_row() {
  const std::size_t width = plan_.algorithms.size();
  if (points_.size() % width != 0) return;
  const auto row = std::span(points_).last(width);
  if (points_.size() == width) {
    const auto shown =
        std::ranges::find_if(row, [](const auto& point) { return point.result.has_value(); });
    const RunResult* first = shown == row.end() ? nullptr : &*shown->result;
    if (!settings_.output.quiet) {
      print(compare_preamble(plan_, first, settings_.metric, settings_.point.trials));
    }
    print(table_.head());
  }
  print(table_.row(row));
}

}  // namespace reducelab
