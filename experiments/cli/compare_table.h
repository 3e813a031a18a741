#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/cli/compare_plan.h"

namespace reducelab {

/// What the cells of the comparison show.
enum class CompareMetric : std::uint8_t { time, algbw, busbw, slowdown };

/// `time`, `algbw` or `busbw`.
CompareMetric parse_compare_metric(std::string_view text);

/// Rows are sizes, columns algorithms; a row is printed as soon as all its points are there. The
/// fastest cell of a row, or that which suffers least, is marked `*` (and bold with `colour`); a
/// point that failed says `failed`, one that was refused or has no such figure `-`.
class CompareTable {
 public:
  CompareTable(const ComparePlan& plan, CompareMetric metric, bool colour);

  /// Column heads of one or more lines: long names are broken at their hyphens.
  std::string head() const;
  /// The row of one size; `points` are those of all algorithms, in their order.
  std::string row(std::span<const SimulatedPoint> points) const;

 private:
  std::optional<double> figure(const SimulatedPoint& point) const;
  std::string cell(const SimulatedPoint& point) const;

  CompareMetric metric_;
  bool colour_;
  std::vector<std::vector<std::string>> names_;  ///< by algorithm, the lines of its head
  std::vector<std::size_t> widths_;
};

/// `# ` lines above the table: topology, engine, profile, unit. `first` is a result of the first
/// row, which knows the network model; null if it has none.
std::string compare_preamble(const ComparePlan& plan, const RunResult* first, CompareMetric metric,
                             std::optional<std::uint64_t> trials);

/// What follows the table: the best per size in full, skipped and failed points with reasons, and
/// how the data was checked.
std::string compare_summary(const ComparePlan& plan, const std::vector<SimulatedPoint>& points);

}  // namespace reducelab
