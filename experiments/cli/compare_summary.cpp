#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/units.h"
#include "experiments/cli/compare_table.h"
#include "experiments/cli/run_report.h"
#include "experiments/cli/trial_report.h"
#include "experiments/report/table.h"

namespace reducelab {

std::string compare_preamble(const ComparePlan& plan, const RunResult* first, CompareMetric metric,
                             std::optional<std::uint64_t> trials) {
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
  if (trials) {
    text += fmt::format("# trials    {}: seeds {} to {}, the same for every algorithm{}\n", *trials,
                        spec.seed, spec.seed + *trials - 1,
                        spec.data == DataMode::automatic ? "; data is moved in the first" : "");
  }
  return text +
         fmt::format("# {}{}; * marks the fastest\n#\n", unit, trials ? ", of the mean time" : "");
}

std::string compare_summary(const ComparePlan& plan, const std::vector<SimulatedPoint>& points) {
  std::vector<TextColumn> columns{{"size"}, {"best", Align::left}, {"protocol", Align::left},
                                  {"time"}, {"algbw GB/s"},        {"busbw GB/s"}};
  const bool slowed =
      std::ranges::any_of(points, [](const auto& p) { return p.healthy.has_value(); });
  if (slowed) {
    columns.push_back({"slowdown"});
    columns.push_back({"suffers least", Align::left});
  }
  TextTable table(std::move(columns));
  const auto least_slowed = least_points(plan, points, standing_by_slowdown);
  for (const SimulatedPoint* best : best_points(plan, points)) {
    const RunResult result = best->typical();
    std::vector<std::string> cells{format_bytes(result.spec.bytes),
                                   result.spec.algorithm,
                                   result.spec.protocol,
                                   format_duration(result.time_s),
                                   fmt::format("{:.2f}", result.algbw_GBps()),
                                   fmt::format("{:.2f}", result.busbw_GBps())};
    if (slowed) {
      const auto size = std::ranges::find(plan.sizes, result.spec.bytes) - plan.sizes.begin();
      const SimulatedPoint* least = least_slowed.at(static_cast<std::size_t>(size));
      const auto factor = best->slowdown();
      cells.push_back(factor ? factor_text(*factor) : "-");
      cells.push_back(least == nullptr ? "-"
                                       : fmt::format("{} {}", factor_text(*least->slowdown()),
                                                     least->spec.algorithm));
    }
    table.add_row(std::move(cells));
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
  for (const SimulatedPoint& point : points) {
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
    reason->points.push_back(
        fmt::format("{} {}", point.spec.algorithm, format_bytes(point.spec.bytes)));
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
