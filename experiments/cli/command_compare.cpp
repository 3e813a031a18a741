#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/compare_json.h"
#include "experiments/cli/compare_measured.h"
#include "experiments/cli/compare_run.h"
#include "experiments/cli/output.h"
#include "experiments/cli/run_options.h"
#include "experiments/cli/trial_options.h"
#include "experiments/cli/trial_report.h"

namespace reducelab {
namespace {

/// The flags of `compare` beyond those it shares with `run`.
struct CompareOptions {
  std::string algorithms = "all";
  std::string sizes = "1KiB:1GiB:x4";
  std::string metric = "busbw";
  std::string measured;
  std::string algorithm_measured;
};

/// The algorithm to hold against the log: the one named, or the only one.
std::string measured_algorithm(const CompareOptions& options, const ComparePlan& plan) {
  if (options.algorithm_measured.empty()) {
    return plan.algorithms.size() == 1 ? plan.algorithms.front() : "";
  }
  if (options.measured.empty()) throw usage_error("--algorithm-measured needs --measured LOG");
  std::vector<std::string_view> names;
  for (const std::string_view part : split(options.algorithm_measured, ',')) {
    const std::string_view name = find_algorithm(trim(part)).name;
    if (std::ranges::find(plan.algorithms, name) == plan.algorithms.end()) {
      throw usage_error("--algorithm-measured: {} is not among the algorithms compared", name);
    }
    names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::int64_t> parse_size_list(std::string_view text) {
  std::vector<std::int64_t> sizes = parse_sizes(text);
  for (const std::int64_t bytes : sizes) require_size(bytes);
  std::ranges::sort(sizes);
  const auto repeated = std::ranges::unique(sizes);
  sizes.erase(repeated.begin(), repeated.end());
  return sizes;
}

/// The exit code of a comparison: the gravest of its points'. A point that was refused is none when
/// all algorithms were asked for; if every point was refused, nothing was compared.
int verdict(const std::vector<SimulatedPoint>& points, bool refusals_allowed) {
  int code = 0;
  bool any_result = false;
  const Error* refusal = nullptr;
  for (const SimulatedPoint& point : points) {
    any_result = any_result || point.result.has_value();
    if (point.result) code = std::max(code, point.worst_trial());
    if (!point.failure) continue;
    if (point.failure->code() == ErrorCode::usage) {
      refusal = &*point.failure;
    } else {
      code = std::max(code, point.failure->exit_code());
    }
  }
  const bool nothing_compared = !any_result && code == 0;
  if (refusal != nullptr && (!refusals_allowed || nothing_compared)) throw *refusal;
  return code;
}

}  // namespace

int command_compare(Arguments arguments) {
  CLI::App app(
      "Simulate algorithms over sizes, each point in a process of its own, and name the fastest. "
      "Sizes that are no multiple of the element size are cut to whole elements.",
      "reducelab compare");
  CompareOptions options;
  JobOptions job_options;
  TrialOptions trial_options;
  OutputOptions output;
  app.add_option("--algorithms,--algorithm", options.algorithms, "names with commas, or all [all]")
      ->type_name("LIST");
  app.add_option("--sizes,--size", options.sizes,
                 "a list, or FROM:TO:xFACTOR, FROM:TO:+STEP [1KiB:1GiB:x4]")
      ->type_name("SIZES");
  declare_job_options(app, job_options);
  declare_trial_options(app, trial_options);
  app.add_option("--metric", options.metric, "in the table: time, algbw or busbw [busbw]")
      ->type_name("METRIC");
  app.add_option("--measured", options.measured,
                 "an nccl-tests log of the same job, to hold the predictions against")
      ->type_name("LOG");
  app.add_option("--algorithm-measured", options.algorithm_measured,
                 "also hold this algorithm alone against the log, or the fastest of several "
                 "(ring,double-tree "
                 "are those NCCL picks from)")
      ->type_name("NAMES");
  declare_output_options(app, output);
  if (!parse_arguments(app, arguments)) return 0;
  if (output.json && output.csv) throw usage_error("--json and --csv exclude each other");

  const CompareMetric metric = parse_flag("--metric", options.metric, parse_compare_metric);
  const auto sizes = parse_flag("--sizes", options.sizes, parse_size_list);
  CompareRun::Settings settings{
      metric, output, {}, parse_jobs(trial_options), parse_wall_limit(trial_options.wall_limit)};
  settings.point.trials = parse_trials(trial_options);
  std::optional<MeasuredLog> log;
  if (!options.measured.empty()) log = read_measured_log(options.measured);
  const ComparePlan plan = make_compare_plan(
      options.algorithms, sizes, parse_job_options(job_options), parse_params(job_options));
  const std::string algorithm = measured_algorithm(options, plan);

  settings.point.healthy = !plan.jobs.front().scenario.empty();
  CompareRun comparison(plan, settings);
  comparison.run();
  const std::vector<SimulatedPoint>& points = comparison.points();
  const int code = verdict(points, options.algorithms == "all");
  std::optional<MeasuredComparison> measured;
  if (log) measured = compare_with_log(plan, points, *log, algorithm);
  if (output.json) {
    print(compare_json(plan, points, log ? &*log : nullptr, measured ? &*measured : nullptr) +
          "\n");
  } else if (!output.csv) {
    if (settings.point.healthy) print("\n" + slowdown_table(plan, points, colour_on_stdout()));
    if (!output.quiet) print(compare_summary(plan, points));
    if (settings.point.trials) {
      print("\n" + compare_trials_table(plan, points));
      if (!output.quiet) print("\n" + trials_notes(points));
    }
    if (measured) print(measured_report(*measured, *log));
  }
  return code;
}

}  // namespace reducelab
