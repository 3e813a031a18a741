#include "experiments/report/nccl_tests_table.h"

#include <fmt/format.h>

#include <cmath>

namespace reducelab {

std::string fit_number(double value, int width) {
  const auto limit = static_cast<std::size_t>(width);
  for (const int decimals : {2, 1, 0}) {
    std::string text = fmt::format("{:{}.{}f}", value, width, decimals);
    if (text.size() <= limit) return text;
  }
  constexpr int kWidthForOneDecimal = 7;
  return fmt::format("{:{}.{}e}", value, width, width >= kWidthForOneDecimal ? 1 : 0);
}

std::string nccl_tests_table(std::span<const ResultRow> rows,
                             std::span<const std::string> header_lines) {
  constexpr double kMicrosecondsPerSecond = 1e6;
  std::string out;
  for (const std::string& line : header_lines) out += fmt::format("# {}\n", line);
  out += "#\n";
  out += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}\n", "size",
                     "count", "type", "redop", "time", "algbw", "busbw", "#wrong");
  out += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>7}  {:>6}  {:>6}\n", "(B)", "(elements)",
                     "", "", "(us)", "(GB/s)", "(GB/s)");
  double busbw_sum = 0;
  std::int64_t wrong_sum = 0;
  bool any_verified = false;
  for (const ResultRow& row : rows) {
    out += fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {}  {}  {}  {:>6}\n", row.bytes, row.count,
                       row.type, row.redop, fit_number(row.time_s * kMicrosecondsPerSecond, 7),
                       fit_number(row.algbw_GBps, 6), fit_number(row.busbw_GBps, 6),
                       row.wrong ? fmt::format("{}", *row.wrong) : "N/A");
    busbw_sum += row.busbw_GBps;
    wrong_sum += row.wrong.value_or(0);
    any_verified = any_verified || row.wrong.has_value();
  }
  if (any_verified) {
    out += fmt::format("# {:<20} : {} {}\n", "Out of bounds values", wrong_sum,
                       wrong_sum == 0 ? "OK" : "FAILED");
  }
  if (!rows.empty()) {
    out += fmt::format("# {:<20} : {:.6g}\n", "Avg bus bandwidth",
                       busbw_sum / static_cast<double>(rows.size()));
  }
  return out;
}

}  // namespace reducelab
