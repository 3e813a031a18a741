#include "experiments/cli/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/run_report.h"
#include "experiments/report/table.h"

namespace reducelab {
namespace {

constexpr int kSizeWidth = 10;
constexpr int kNumberWidth = 9;
constexpr double kMicrosecondsPerSecond = 1e6;

/// The lines of a column's head: a name is broken at hyphens where it is wider than the numbers.
std::vector<std::string> head_lines(std::string_view name) {
  std::vector<std::string> lines;
  for (const std::string_view part : split(name, '-')) {
    if (!lines.empty()) lines.back() += "-";
    if (!lines.empty() && lines.back().size() + part.size() <= kNumberWidth) {
      lines.back() += part;
    } else {
      lines.emplace_back(part);
    }
  }
  return lines;
}

}  // namespace

CompareMetric parse_compare_metric(std::string_view text) {
  if (text == "time") return CompareMetric::time;
  if (text == "algbw") return CompareMetric::algbw;
  if (text == "busbw") return CompareMetric::busbw;
  throw unknown_name("metric", text, {"time", "algbw", "busbw"});
}

CompareTable::CompareTable(const ComparePlan& plan, CompareMetric metric, bool colour)
    : metric_(metric), colour_(colour) {
  for (const std::string& name : plan.algorithms) {
    names_.push_back(head_lines(name));
    std::size_t width = kNumberWidth;
    for (const std::string& line : names_.back()) width = std::max(width, line.size());
    widths_.push_back(width);
  }
}

std::string CompareTable::head() const {
  std::size_t height = 1;
  for (const auto& lines : names_) height = std::max(height, lines.size());
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    const bool last = line + 1 == height;
    std::string row = fmt::format("{:>{}}", last ? "size" : "", kSizeWidth);
    for (std::size_t a = 0; a < names_.size(); ++a) {
      // Bottom-aligned, so that every name ends right above its numbers.
      const std::size_t empty = height - names_[a].size();
      row += fmt::format("  {:>{}} ", line < empty ? "" : names_[a][line - empty], widths_[a]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string CompareTable::cell(const ComparedPoint& point) const {
  if (!point.result) return point.failure->code() == ErrorCode::usage ? "-" : "failed";
  const double value = metric_ == CompareMetric::time
                           ? point.result->time_s * kMicrosecondsPerSecond
                       : metric_ == CompareMetric::algbw ? point.result->algbw_GBps()
                                                         : point.result->busbw_GBps();
  return std::string(trim(fit_number(value, kNumberWidth)));
}

std::string CompareTable::row(std::span<const ComparedPoint> points) const {
  std::size_t best = points.size();
  for (std::size_t a = 0; a < points.size(); ++a) {
    if (!points[a].result) continue;
    if (best == points.size() || points[a].result->time_s < points[best].result->time_s) best = a;
  }
  std::string text = fmt::format("{:>{}}", format_bytes(points.front().bytes), kSizeWidth);
  for (std::size_t a = 0; a < points.size(); ++a) {
    const std::string padded = fmt::format("  {:>{}}", cell(points[a]), widths_[a]);
    if (a != best) {
      text += padded + " ";
    } else {
      text += colour_ ? fmt::format("\x1b[1m{}*\x1b[0m", padded) : padded + "*";
    }
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string compare_preamble(const ComparePlan& plan, const RunResult* first,
                             CompareMetric metric) {
  const RunSpec& spec = plan.jobs.front();
  std::string text =
      fmt::format("# reducelab {}: {} ranks on {}, placement {}, {} {}\n", spec.collective,
                  plan.ranks, spec.topology, spec.placement, name_of(spec.type), name_of(spec.op));
  text += fmt::format("# engine    {}\n# profile   {}\n",
                      first != nullptr ? engine_line(*first) : spec.engine, spec.profile);
  for (const std::string& line : scenario_lines(spec)) {
    text += fmt::format("# scenario  {}\n", line);
  }
  const std::string_view unit = metric == CompareMetric::time ? "time in us"
                                : metric == CompareMetric::algbw
                                    ? "algorithm bandwidth in GB/s (1e9 B/s)"
                                    : "bus bandwidth in GB/s (1e9 B/s)";
  return text + fmt::format("# {}; * marks the fastest\n#\n", unit);
}

std::string compare_summary(const ComparePlan& plan, const std::vector<ComparedPoint>& points) {
  TextTable table({{"size"},
                   {"best", Align::left},
                   {"protocol", Align::left},
                   {"time"},
                   {"algbw GB/s"},
                   {"busbw GB/s"}});
  for (const RunResult* best : best_results(plan, points)) {
    table.add_row({format_bytes(best->spec.bytes), best->spec.algorithm, best->spec.protocol,
                   format_duration(best->time_s), fmt::format("{:.2f}", best->algbw_GBps()),
                   fmt::format("{:.2f}", best->busbw_GBps())});
  }
  std::string text = "\n" + table.to_text() + "\n";
  std::map<std::string, int> data;
  int failures = 0;
  struct Reason {
    std::string text;
    bool refused;
    std::vector<std::string> points;
  };
  std::vector<Reason> reasons;  // each once, in order of appearance
  for (const ComparedPoint& point : points) {
    if (point.result) {
      ++data[point.result->verified ? point.result->data + ", checked" : "none, not verified"];
      continue;
    }
    const bool refused = point.failure->code() == ErrorCode::usage;
    failures += refused ? 0 : 1;
    auto reason = std::ranges::find(reasons, point.failure->what(), &Reason::text);
    if (reason == reasons.end()) {
      reason = reasons.insert(reason, {point.failure->what(), refused, {}});
    }
    reason->points.push_back(fmt::format("{} {}", point.algorithm, format_bytes(point.bytes)));
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : data) parts.push_back(fmt::format("{} points {}", count, kind));
  if (failures > 0) parts.push_back(fmt::format("{} points FAILED", failures));
  text += fmt::format("# data      {}\n", fmt::join(parts, "; "));
  for (const SkippedPoint& skipped : plan.skipped) {
    text += fmt::format("# skipped   {}: {}\n", skipped.algorithm, skipped.reason);
  }
  for (const Reason& reason : reasons) {
    text += fmt::format("# {}   {}: {}\n", reason.refused ? "skipped" : "FAILED ",
                        fmt::join(reason.points, ", "), reason.text);
  }
  return text;
}

}  // namespace reducelab
