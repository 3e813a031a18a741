#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/compare_json.h"
#include "experiments/cli/compare_measured.h"
#include "experiments/cli/compare_table.h"
#include "experiments/cli/output.h"
#include "experiments/cli/run_options.h"
#include "experiments/cli/run_report.h"
#include "experiments/worker/worker_pool.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

/// The flags of `compare` beyond those it shares with `run`.
struct CompareOptions {
  std::string algorithms = "all";
  std::string sizes = "1KiB:1GiB:x4";
  std::string metric = "busbw";
  std::string measured;
  std::string algorithm_measured;
  std::string jobs;
};

/// Takes the outcomes in their order and prints each row once it is whole.
class CompareRun {
 public:
  CompareRun(const ComparePlan& plan, CompareMetric metric, const OutputOptions& output)
      : plan_(plan),
        metric_(metric),
        output_(output),
        table_(plan, metric, colour_on_stdout()),
        progress_(!output.quiet) {}

  void run(int at_once) {
    if (output_.csv) print(csv_header());
    run_in_workers(plan_.jobs, at_once, simulate,
                   {[this](std::size_t index, const Outcome& outcome) { take(index, outcome); },
                    [this](std::size_t finished) {
                      finished_ = finished;
                      show_progress();
                    }});
    progress_.clear();
  }

  const std::vector<ComparedPoint>& points() const { return points_; }

 private:
  void show_progress() {
    if (finished_ == plan_.jobs.size()) return;
    progress_.show(fmt::format("{} of {} points simulated", finished_, plan_.jobs.size()));
  }

  void take(std::size_t index, const Outcome& outcome) {
    const RunSpec& job = plan_.jobs[index];
    ComparedPoint point{job.algorithm, job.bytes, {}, {}};
    if (const Error* error = std::get_if<Error>(&outcome)) {
      // What this machine cannot do, it cannot do for any other point either.
      if (error->code() == ErrorCode::unsupported) throw *error;
      point.failure = *error;
    } else {
      point.result = std::get<RunResult>(outcome);
    }
    points_.push_back(std::move(point));
    progress_.clear();
    if (output_.csv && points_.back().result) print(csv_row(*points_.back().result));
    if (!output_.csv && !output_.json) print_row();
    show_progress();
  }

  void print_row() {
    const std::size_t width = plan_.algorithms.size();
    if (points_.size() % width != 0) return;
    const auto row = std::span(points_).last(width);
    if (points_.size() == width) {
      const auto shown =
          std::ranges::find_if(row, [](const auto& point) { return point.result.has_value(); });
      const RunResult* first = shown == row.end() ? nullptr : &*shown->result;
      if (!output_.quiet) print(compare_preamble(plan_, first, metric_));
      print(table_.head());
    }
    print(table_.row(row));
  }

  const ComparePlan& plan_;
  CompareMetric metric_;
  OutputOptions output_;
  CompareTable table_;
  ProgressLine progress_;
  std::vector<ComparedPoint> points_;
  std::size_t finished_ = 0;
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

int parse_jobs(const std::string& text) {
  if (text.empty()) return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  constexpr std::int64_t kMostJobs = 4096;
  return parse_flag("-j", text, [](std::string_view number) {
    return static_cast<int>(parse_whole(number, 1, kMostJobs));
  });
}

/// The exit code of a comparison: the gravest of its points'. A point that was refused is none when
/// all algorithms were asked for; if every point was refused, nothing was compared.
int verdict(const std::vector<ComparedPoint>& points, bool refusals_allowed) {
  int code = 0;
  bool any_result = false;
  const Error* refusal = nullptr;
  for (const ComparedPoint& point : points) {
    any_result = any_result || point.result.has_value();
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
  OutputOptions output;
  app.add_option("--algorithms,--algorithm", options.algorithms, "names with commas, or all [all]")
      ->type_name("LIST");
  app.add_option("--sizes,--size", options.sizes,
                 "a list, or FROM:TO:xFACTOR, FROM:TO:+STEP [1KiB:1GiB:x4]")
      ->type_name("SIZES");
  declare_job_options(app, job_options);
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
  app.add_option("-j,--jobs", options.jobs, "processes at a time [all cores]")->type_name("N");
  declare_output_options(app, output);
  if (!parse_arguments(app, arguments)) return 0;
  if (output.json && output.csv) throw usage_error("--json and --csv exclude each other");

  const CompareMetric metric = parse_flag("--metric", options.metric, parse_compare_metric);
  const auto sizes = parse_flag("--sizes", options.sizes, parse_size_list);
  const int at_once = parse_jobs(options.jobs);
  std::optional<MeasuredLog> log;
  if (!options.measured.empty()) log = read_measured_log(options.measured);
  const ComparePlan plan = make_compare_plan(
      options.algorithms, sizes, parse_job_options(job_options), parse_params(job_options));
  const std::string algorithm = measured_algorithm(options, plan);

  CompareRun comparison(plan, metric, output);
  comparison.run(at_once);
  const std::vector<ComparedPoint>& points = comparison.points();
  const int code = verdict(points, options.algorithms == "all");
  std::optional<MeasuredComparison> measured;
  if (log) measured = compare_with_log(plan, points, *log, algorithm);
  if (output.json) {
    print(compare_json(plan, points, log ? &*log : nullptr, measured ? &*measured : nullptr) +
          "\n");
  } else if (!output.csv) {
    if (!output.quiet) print(compare_summary(plan, points));
    if (measured) print(measured_report(*measured, *log));
  }
  return code;
}

}  // namespace reducelab
