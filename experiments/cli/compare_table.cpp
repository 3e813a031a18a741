#include "experiments/cli/compare_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/trial_report.h"
#include "experiments/report/nccl_tests_table.h"

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

std::optional<double> CompareTable::figure(const SimulatedPoint& point) const {
  if (!point.result) return std::nullopt;
  switch (metric_) {
    case CompareMetric::time:
      return point.time_s() * kMicrosecondsPerSecond;
    case CompareMetric::algbw:
      return point.typical().algbw_GBps();
    case CompareMetric::busbw:
      return point.typical().busbw_GBps();
    case CompareMetric::slowdown:
      return point.slowdown();
  }
  throw Error(ErrorCode::bug, "a metric without a figure");
}

std::string CompareTable::cell(const SimulatedPoint& point) const {
  if (!point.result) return point.failure->code() == ErrorCode::usage ? "-" : "failed";
  const auto value = figure(point);
  if (!value) return "-";
  if (metric_ == CompareMetric::slowdown) return factor_text(*value);
  return std::string(trim(fit_number(*value, kNumberWidth)));
}

std::string CompareTable::row(std::span<const SimulatedPoint> points) const {
  std::size_t best = points.size();
  std::optional<Standing> least;
  for (std::size_t a = 0; a < points.size(); ++a) {
    const auto standing = metric_ == CompareMetric::slowdown ? standing_by_slowdown(points[a])
                                                             : standing_by_time(points[a]);
    if (!standing || (least && *standing >= *least)) continue;
    best = a;
    least = standing;
  }
  std::string text = fmt::format("{:>{}}", format_bytes(points.front().spec.bytes), kSizeWidth);
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

}  // namespace reducelab
