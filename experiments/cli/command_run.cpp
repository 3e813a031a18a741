#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"
#include "experiments/cli/point_export.h"
#include "experiments/cli/run_options.h"
#include "experiments/cli/run_report.h"
#include "experiments/cli/trial_options.h"
#include "experiments/cli/trial_report.h"
#include "experiments/worker/worker_pool.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

/// Finds out before the simulation, not after it, that its trace cannot be written.
void require_writable(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw usage_error("--trace: {} is a directory", file);
  const fs::path parent = fs::path(file).parent_path();
  const fs::path directory = parent.empty() ? fs::path(".") : parent;
  if (!fs::is_directory(directory, ignored)) {
    throw usage_error("--trace: there is no directory {}", directory.string());
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    throw usage_error("--trace: directory {} cannot be written", directory.string());
  }
}

void require_no_single_run_flags(bool explain, const std::string& trace) {
  if (!explain && trace.empty()) return;
  throw usage_error("{} is about one run: leave out --trials, and give --seed of the trial instead",
                    explain ? "--explain" : "--trace");
}

/// Runs all simulations of the point, with progress on a terminal.
SimulatedPoint simulate_point(const RunSpec& spec, const PointPlan& plan,
                              const TrialOptions& options, const OutputOptions& output) {
  const int at_once = parse_jobs(options);
  const double wall_limit_s = parse_wall_limit(options.wall_limit);
  const std::vector<RunSpec> jobs = plan.jobs_of(spec);
  std::vector<Outcome> outcomes;
  ProgressLine progress(!output.quiet);
  const std::string what =
      fmt::format("simulating {} of {}", spec.algorithm, format_bytes(spec.bytes));
  progress.show(what + " ...");
  run_in_workers(jobs, at_once, simulate,
                 {[&](std::size_t, const Outcome& outcome) { outcomes.push_back(outcome); },
                  [&](std::size_t finished) {
                    if (!plan.trials) return;
                    progress.show(fmt::format("{}: {} of {} runs", what, finished, jobs.size()));
                  }},
                 wall_limit_s);
  return plan.point_of(spec, std::move(outcomes));
}

/// The object on indented lines, as JSON that people may read too.
std::string run_json(const SimulatedPoint& point) {
  auto json = nlohmann::ordered_json::parse(point_json(point));
  if (point.trials) json["trials"] = nlohmann::ordered_json::parse(trials_json(point, nullptr));
  return json.dump(2) + "\n";
}

void print_for_people(const SimulatedPoint& point, bool explain, bool quiet) {
  const RunResult result = point.typical();
  if (quiet) {
    const ResultRow row = result_row(result);
    print(nccl_tests_table({&row, 1}, {}));
  } else {
    print(run_report(result, point_lines(point)));
  }
  if (point.trials) {
    print("\n" + trials_table(point));
    if (!quiet) print("\n" + trials_notes({point}));
  }
  if (explain) print("\n" + explain_report(result));
}

}  // namespace

int command_run(Arguments arguments) {
  CLI::App app(
      "Simulate one all-reduce, move and reduce real data, and check the result. Sizes that are no "
      "multiple of the element size are cut to whole elements.",
      "reducelab run");
  JobOptions options;
  TrialOptions trial_options;
  OutputOptions output;
  std::string algorithm = RunSpec{}.algorithm;
  std::string size = format_bytes(RunSpec{}.bytes);
  std::string trace;
  bool explain = false;
  app.add_option("--algorithm", algorithm, fmt::format("how it is done [{}]", algorithm))
      ->type_name("NAME");
  app.add_option("--size", size, fmt::format("bytes of the vector on each rank [{}]", size))
      ->type_name("SIZE");
  declare_job_options(app, options);
  declare_trial_options(app, trial_options);
  app.add_flag("--explain", explain,
               "put the closed form beside the result and tell where the time went");
  app.add_option("--trace", trace, "write a Chrome trace, which ui.perfetto.dev opens")
      ->type_name("FILE");
  declare_output_options(app, output);
  if (!parse_arguments(app, arguments)) return 0;
  if (output.json && output.csv) throw usage_error("--json and --csv exclude each other");

  RunSpec spec = parse_job_options(options);
  spec.algorithm = algorithm;
  spec.params = parse_params(options);
  complete_params(find_algorithm(algorithm), spec.params);  // refuses what does not fit
  spec.bytes = parse_flag("--size", size,
                          [](std::string_view text) { return require_size(parse_bytes(text)); });
  spec.explain = explain;
  spec.trace_file = trace;
  if (!trace.empty()) require_writable(trace);

  PointPlan plan;
  plan.trials = parse_trials(trial_options);
  plan.healthy = !spec.scenario.empty() && !output.quiet;
  if (plan.trials) require_no_single_run_flags(explain, trace);
  const SimulatedPoint point = simulate_point(spec, plan, trial_options, output);
  if (point.failure) throw *point.failure;
  if (output.json) {
    print(run_json(point));
  } else if (output.csv && point.trials) {
    print(trials_csv_header() + trials_csv_row(point, nullptr));
  } else if (output.csv) {
    print(csv_header() + csv_row(point));
  } else {
    print_for_people(point, explain, output.quiet);
  }
  if (!trace.empty() && !output.json && !output.csv && !output.quiet) {
    print(fmt::format("# trace in {}; open it at https://ui.perfetto.dev\n", trace));
  }
  return point.worst_trial();
}

}  // namespace reducelab
