#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/units.h"
#include "experiments/cli/run_report.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

struct SplitRow {
  std::string_view meaning;
  double TimeSplit::*seconds;
};
constexpr std::array<SplitRow, 11> kSplitRows{{
    {"launch", &TimeSplit::floor_s},
    {"overheads of messages", &TimeSplit::overhead_s},
    {"latency", &TimeSplit::latency_s},
    {"bytes at full rate", &TimeSplit::bytes_s},
    {"waiting for shared links", &TimeSplit::sharing_s},
    {"reductions and copies", &TimeSplit::reduction_s},
    {"queueing at a rank", &TimeSplit::queueing_s},
    {"slow ranks", &TimeSplit::slow_rank_s},
    {"degraded links", &TimeSplit::slow_link_s},
    {"late starts", &TimeSplit::late_start_s},
    {"failed attempts", &TimeSplit::recovery_s},
}};

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string closed_form_lines(const RunResult& result) {
  if (!result.closed_form_s) {
    return fmt::format("closed form: {} has none for this job\n", result.spec.algorithm);
  }
  std::string line =
      fmt::format("closed form {}, simulated {}", format_duration(*result.closed_form_s),
                  format_duration(result.time_s));
  if (*result.closed_form_s > 0) {
    line += fmt::format(" ({:+.2f} %)", 100 * (result.time_s / *result.closed_form_s - 1));
  }
  return line + (result.closed_form_exact ? "; the form is exact without contention\n"
                                          : "; the form is an estimate\n");
}

std::string split_table(const TimeSplit& split, double time_s) {
  TextTable table({{"along the critical path", Align::left}, {"time"}, {"share"}});
  for (const SplitRow& row : kSplitRows) {
    const double seconds = split.*row.seconds;
    // Sums of many differences leave rounding noise where there is nothing.
    if (seconds <= 1e-9 * time_s) continue;
    table.add_row({std::string(row.meaning), format_duration(seconds), percent(seconds, time_s)});
  }
  table.add_row({"total", format_duration(split.total_s()), percent(split.total_s(), time_s)});
  return table.to_text();
}

std::string stragglers_table(const std::vector<Straggler>& stragglers, double time_s) {
  TextTable table({{"waited for", Align::left}, {"slow"}, {"late"}, {"share"}});
  constexpr std::size_t kMostRows = 10;
  for (std::size_t i = 0; i < std::min(stragglers.size(), kMostRows); ++i) {
    const Straggler& straggler = stragglers[i];
    table.add_row({straggler.who, format_duration(straggler.slow_s),
                   format_duration(straggler.late_s),
                   percent(straggler.slow_s + straggler.late_s, time_s)});
  }
  std::string text = table.to_text();
  if (stragglers.size() > kMostRows) {
    text += fmt::format("... and {} more\n", stragglers.size() - kMostRows);
  }
  return text;
}

std::string links_table(const std::vector<LinkUse>& links) {
  TextTable table({{"busiest links", Align::left}, {"bytes"}, {"load"}});
  for (const LinkUse& use : links) {
    table.add_row({use.link, fmt::format("{:.6g}", use.bytes), percent(use.load, 1)});
  }
  return table.to_text();
}

/// What set the pace, by resource: the long path in a few rows.
std::string path_by_resource(const std::vector<PathStep>& path, double time_s) {
  struct Sum {
    std::string resource;
    int steps = 0;
    double seconds = 0;
  };
  std::map<std::string, Sum> sums;
  for (const PathStep& step : path) {
    Sum& sum = sums[step.resource];
    sum.resource = step.resource;
    ++sum.steps;
    sum.seconds += step.end_s - step.begin_s;
  }
  std::vector<Sum> rows;
  for (auto& [name, sum] : sums) {
    if (sum.seconds > 0) rows.push_back(std::move(sum));
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Sum::seconds);
  constexpr std::size_t kMostRows = 10;
  TextTable table({{"pace set by", Align::left}, {"operations"}, {"time"}, {"share"}});
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    table.add_row({rows[i].resource, std::to_string(rows[i].steps),
                   format_duration(rows[i].seconds), percent(rows[i].seconds, time_s)});
  }
  std::string text = table.to_text();
  if (rows.size() > kMostRows) text += fmt::format("... and {} more\n", rows.size() - kMostRows);
  return text;
}

/// The path operation by operation, without the middle of a long one.
std::string path_table(std::vector<PathStep> path) {
  std::erase_if(path, [](const PathStep& step) { return step.end_s <= step.begin_s; });
  constexpr std::size_t kMostShown = 16;
  const bool cut = path.size() > kMostShown;
  TextTable table({{"from"}, {"to"}, {"critical path", Align::left}, {"pace set by", Align::left}});
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (cut && i == kMostShown / 2) {
      table.add_row({"", "", fmt::format("... {} more ...", path.size() - kMostShown), ""});
      i = path.size() - kMostShown / 2;
    }
    table.add_row({format_duration(path[i].begin_s), format_duration(path[i].end_s), path[i].what,
                   path[i].resource});
  }
  return table.to_text();
}

}  // namespace

std::string explain_report(const RunResult& result) {
  std::string text = closed_form_lines(result);
  if (!result.explanation) return text;
  const Explanation& explanation = *result.explanation;
  text += "\n" + split_table(explanation.split, result.time_s);
  if (!explanation.stragglers.empty()) {
    text += "\n" + stragglers_table(explanation.stragglers, result.time_s);
  }
  if (!explanation.busiest_links.empty()) text += "\n" + links_table(explanation.busiest_links);
  if (!explanation.path.empty()) {
    text += "\n" + path_by_resource(explanation.path, result.time_s);
    text += "\n" + path_table(explanation.path);
  }
  return text;
}

}  // namespace reducelab
