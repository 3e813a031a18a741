#include "experiments/cli/run_report.h"

#include <fmt/format.h>

#include <array>

#include "core/units.h"
#include "experiments/report/table.h"
#include "sim/scenario/describe.h"
#include "sim/scenario/scenario_toml.h"

namespace reducelab {
namespace {

std::string params_text(const RunSpec& spec) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : spec.params) parts.push_back(fmt::format("{}={}", name, value));
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

/// Digits that reproduce a double, as JSON has them.
std::string exact(double value) {
  return fmt::format("{}", value);
}

struct CsvColumn {
  std::string_view name;
  std::string (*text)(const RunResult&);
};

constexpr std::array<CsvColumn, 25> kCsvColumns{{
    {"algorithm", [](const RunResult& r) { return r.spec.algorithm; }},
    {"collective", [](const RunResult& r) { return r.spec.collective; }},
    {"ranks", [](const RunResult& r) { return std::to_string(r.ranks); }},
    {"bytes", [](const RunResult& r) { return std::to_string(r.spec.bytes); }},
    {"count", [](const RunResult& r) { return std::to_string(r.count()); }},
    {"dtype", [](const RunResult& r) { return std::string(name_of(r.spec.type)); }},
    {"op", [](const RunResult& r) { return std::string(name_of(r.spec.op)); }},
    {"topology", [](const RunResult& r) { return r.spec.topology; }},
    {"engine", [](const RunResult& r) { return r.spec.engine; }},
    {"profile", [](const RunResult& r) { return r.spec.profile; }},
    {"protocol", [](const RunResult& r) { return r.spec.protocol; }},
    {"seed", [](const RunResult& r) { return std::to_string(r.spec.seed); }},
    {"time_s", [](const RunResult& r) { return exact(r.time_s); }},
    {"algbw_GBps", [](const RunResult& r) { return exact(r.algbw_GBps()); }},
    {"busbw_GBps", [](const RunResult& r) { return exact(r.busbw_GBps()); }},
    {"messages", [](const RunResult& r) { return std::to_string(r.messages); }},
    {"bytes_sent", [](const RunResult& r) { return std::to_string(r.bytes_sent); }},
    {"steps", [](const RunResult& r) { return std::to_string(r.steps); }},
    {"verified",
     [](const RunResult& r) {
       return std::string(!r.verified ? "" : *r.verified ? "true" : "false");
     }},
    {"data", [](const RunResult& r) { return r.data; }},
    {"max_abs_error", [](const RunResult& r) { return exact(r.max_abs_error); }},
    {"max_rel_error", [](const RunResult& r) { return exact(r.max_rel_error); }},
    {"ranks_identical",
     [](const RunResult& r) { return std::string(r.ranks_identical ? "true" : "false"); }},
    {"closed_form_s",
     [](const RunResult& r) { return r.closed_form_s ? exact(*r.closed_form_s) : std::string(); }},
    {"wall_s", [](const RunResult& r) { return exact(r.wall_s); }},
}};

}  // namespace

ResultRow result_row(const RunResult& result) {
  ResultRow row;
  row.bytes = result.count() * size_of(result.spec.type);
  row.count = result.count();
  row.type = name_of(result.spec.type);
  row.redop = name_of(result.spec.op);
  row.time_s = result.time_s;
  row.algbw_GBps = result.algbw_GBps();
  row.busbw_GBps = result.busbw_GBps();
  if (result.verified) row.wrong = result.wrong;
  return row;
}

std::string engine_line(const RunResult& result) {
  const std::string alike =
      result.ranks_simulated
          ? fmt::format("; {} of {} ranks, which are alike", *result.ranks_simulated, result.ranks)
          : std::string();
  return fmt::format("{}: {}; seed {}{}", result.spec.engine, result.network_model,
                     result.spec.seed, alike);
}

std::string data_line(const RunResult& result) {
  if (!result.verified) return "none: no data was moved, the result is not verified";
  return fmt::format(
      "{}: {} elements on each of {} ranks checked against float64 ({}); max error {:.3g} "
      "({:.3g} relative, {:.3g} ulp); ranks {}",
      result.data, result.checked_elements, result.ranks, result.reducer, result.max_abs_error,
      result.max_rel_error, result.max_ulps,
      result.ranks_identical ? "bit-identical" : "differ in bits");
}

std::vector<std::string> scenario_lines(const RunSpec& spec) {
  if (spec.scenario.empty()) return {};
  return describe(read_scenario_toml(spec.scenario, "scenario"));
}

std::string run_report(const RunResult& result, const std::vector<std::string>& more) {
  const RunSpec& spec = result.spec;
  std::vector<std::string> lines{
      fmt::format("reducelab {}: {}{}, {} ranks, placement {}", spec.collective, spec.algorithm,
                  params_text(spec), result.ranks, spec.placement),
      fmt::format("topology  {}", spec.topology), fmt::format("engine    {}", engine_line(result)),
      fmt::format("profile   {}{}", spec.profile,
                  spec.protocol.empty() ? "" : fmt::format(", protocol {}", spec.protocol)),
      fmt::format("data      {}", data_line(result))};
  for (const std::string& line : scenario_lines(spec)) lines.push_back("scenario  " + line);
  for (const Recovery& recovery : result.recoveries) {
    lines.push_back(
        fmt::format("recovery  {}: {} failed at {}, detected at {}; {} ranks went on at {}",
                    recovery.response, fmt::join(recovery.failed, ", "),
                    format_duration(recovery.failed_at_s), format_duration(recovery.detected_at_s),
                    recovery.ranks, format_duration(recovery.resumed_at_s)));
  }
  if (result.count() * size_of(spec.type) != spec.bytes) {
    lines.push_back(fmt::format("size      {} bytes asked for, cut to whole elements", spec.bytes));
  }
  lines.insert(lines.end(), more.begin(), more.end());
  const ResultRow row = result_row(result);
  return nccl_tests_table({&row, 1}, lines);
}

std::string csv_header() {
  std::vector<std::string> cells;
  for (const CsvColumn& column : kCsvColumns) cells.emplace_back(column.name);
  cells.insert(cells.end(), {"healthy_s", "slowdown"});
  return csv_line(cells);
}

std::string csv_row(const SimulatedPoint& point) {
  std::vector<std::string> cells;
  for (const CsvColumn& column : kCsvColumns) cells.push_back(column.text(point.result.value()));
  for (const auto& value : {point.healthy_s(), point.slowdown()}) {
    cells.push_back(value ? exact(*value) : std::string());
  }
  return csv_line(cells);
}

}  // namespace reducelab
