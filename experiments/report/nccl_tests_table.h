#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reducelab {

/// One result, ready to be printed as nccl-tests prints its rows (GB/s = 1e9 B/s).
struct ResultRow {
  std::int64_t bytes = 0;
  std::int64_t count = 0;  ///< elements
  std::string type;
  std::string redop;
  double time_s = 0;
  double algbw_GBps = 0;
  double busbw_GBps = 0;
  std::optional<std::int64_t> wrong;  ///< wrong elements; nothing: not verified, printed `N/A`
};

/// A number as nccl-tests prints it: two decimals, or one, or none, or an exponent, whichever first
/// fits the width.
std::string fit_number(double value, int width);

/// A table in nccl-tests' columns and widths (size, count, type, redop, then time in us, algbw,
/// busbw, #wrong): `header_lines` as comments, column header, rows, and the footer with the count
/// of wrong elements and the average busbw. `parse_nccl_tests_log` reads it back.
std::string nccl_tests_table(std::span<const ResultRow> rows,
                             std::span<const std::string> header_lines);

}  // namespace reducelab
