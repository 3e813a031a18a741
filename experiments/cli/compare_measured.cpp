#include "experiments/cli/compare_measured.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files.h"
#include "core/text.h"
#include "core/units.h"
#include "experiments/importers/nccl_tests.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

std::vector<PredictedSeries> series_of(const ComparePlan& plan,
                                       const std::vector<SimulatedPoint>& points) {
  std::vector<PredictedSeries> all;
  for (const std::string& algorithm : plan.algorithms) {
    PredictedSeries series{algorithm, {}};
    for (const SimulatedPoint& point : points) {
      if (point.result && point.spec.algorithm == algorithm) {
        series.points.push_back({point.spec.bytes, point.time_s()});
      }
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::string percent(double value) {
  return fmt::format("{:+.1f} %", 100 * value);
}

std::string errors_table(const SeriesError& errors, bool with_name) {
  std::vector<TextColumn> columns{{"size"}, {"predicted"}, {"measured"}, {"error"}};
  if (with_name) columns.push_back({"algorithm", Align::left});
  TextTable table(std::move(columns));
  for (const SizeError& size : errors.sizes) {
    std::vector<std::string> cells{format_bytes(size.bytes), format_duration(size.predicted_s),
                                   format_duration(size.measured_s), percent(size.relative_error)};
    if (with_name) cells.push_back(size.series);
    table.add_row(std::move(cells));
  }
  std::string text = table.to_text();
  if (!errors.summary) return text + "no size is in both\n";
  return text + fmt::format(
                    "median absolute error {:.1f} %, 90th percentile {:.1f} %, worst {:.1f} "
                    "% at {}\n",
                    100 * errors.summary->median, 100 * errors.summary->percentile_90,
                    100 * errors.summary->worst, format_bytes(errors.summary->worst_bytes));
}

std::string sizes_line(std::string_view what, const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return "";
  std::vector<std::string> names;
  for (const std::int64_t bytes : sizes) names.push_back(format_bytes(bytes));
  return fmt::format("{}, not compared: {}\n", what, fmt::join(names, ", "));
}

}  // namespace

MeasuredLog read_measured_log(const std::string& file) {
  MeasuredLog log;
  log.file = file;
  std::vector<MeasuredRun> fitting;
  std::string others;
  for (MeasuredRun& run : parse_nccl_tests_log(read_text_file(file), file)) {
    if (run.collective.empty() || run.collective == "all_reduce") {
      fitting.push_back(std::move(run));
    } else {
      others += (others.empty() ? "" : ", ") + run.collective;
    }
  }
  if (fitting.empty()) {
    throw usage_error("{}: holds no all-reduce test, only {}", file, others);
  }
  if (fitting.size() > 1) {
    log.warnings.push_back(
        fmt::format("it holds {} all-reduce tests; the first is used", fitting.size()));
  }
  log.run = std::move(fitting.front());
  log.warnings.insert(log.warnings.end(), log.run.warnings.begin(), log.run.warnings.end());
  if (log.run.aborted) log.warnings.push_back("the test was aborted: " + log.run.abort_reason);
  return log;
}

MeasuredComparison compare_with_log(const ComparePlan& plan,
                                    const std::vector<SimulatedPoint>& points,
                                    const MeasuredLog& log, const std::string& algorithm) {
  MeasuredComparison comparison;
  comparison.algorithm = algorithm;
  comparison.warnings = log.warnings;
  const std::vector<PredictedSeries> all = series_of(plan, points);
  const std::vector<std::string_view> names = split(algorithm, ',');
  comparison.error =
      prediction_error(all, names.empty() ? all.front().name : names.front(), log.run);
  if (names.size() > 1) {  // a library that picks among these, as NCCL among ring and tree
    std::vector<PredictedSeries> chosen;
    for (const PredictedSeries& series : all) {
      if (std::ranges::find(names, series.name) != names.end()) chosen.push_back(series);
    }
    comparison.error.algorithm =
        prediction_error(chosen, chosen.front().name, log.run).best_per_size;
  }
  const auto first =
      std::ranges::find_if(points, [](const auto& p) { return p.result.has_value(); });
  if (first == points.end()) return comparison;
  const RunResult& result = *first->result;
  if (log.run.ranks == 0) {
    comparison.warnings.push_back(fmt::format(
        "it does not say how many ranks were measured; {} are simulated", result.ranks));
  } else if (log.run.ranks != result.ranks) {
    comparison.warnings.push_back(
        fmt::format("{} ranks were measured, but {} are simulated: the errors below compare "
                    "different jobs (--ranks {} would match)",
                    log.run.ranks, result.ranks, log.run.ranks));
  }
  const MeasuredRow& row = log.run.rows.front();
  if (row.type != name_of(result.spec.type)) {
    comparison.warnings.push_back(
        fmt::format("type {} was measured, {} is simulated", row.type, name_of(result.spec.type)));
  }
  if (!row.redop.empty() && row.redop != name_of(result.spec.op)) {
    comparison.warnings.push_back(
        fmt::format("{} was measured, {} is simulated", row.redop, name_of(result.spec.op)));
  }
  return comparison;
}

std::string measured_report(const MeasuredComparison& comparison, const MeasuredLog& log) {
  std::string text = fmt::format("\nmeasured: {} ({} ranks{})\n", log.file, log.run.ranks,
                                 log.run.software.empty() ? "" : ", " + log.run.software);
  for (const std::string& warning : comparison.warnings) {
    text += fmt::format("warning: {}\n", warning);
  }
  if (!comparison.algorithm.empty()) {
    const bool several = comparison.algorithm.find(',') != std::string::npos;
    text += fmt::format("\n{}{}, predicted against measured (out of place)\n",
                        several ? "the fastest of " : "", comparison.algorithm);
    text += errors_table(comparison.error.algorithm, several);
  }
  text += "\nthe fastest predicted at each size, against measured (out of place)\n";
  text += errors_table(comparison.error.best_per_size, true);
  text += sizes_line("\nonly simulated", comparison.error.best_per_size.only_predicted);
  text += sizes_line("only measured", comparison.error.best_per_size.only_measured);
  return text;
}

}  // namespace reducelab
