#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "experiments/importers/log_lines.h"
#include "experiments/importers/measured_run.h"

namespace reducelab {

/// What the column header of a table says about its rows.
struct RowLayout {
  bool has_root = true;
  int halves = 2;
  /// Column names of one half, from `time` on, e.g. time algbw busbw #wrong.
  std::vector<std::string> half_columns;
  bool error_column = false;  ///< the last column is an error magnitude, not a count (before 2.13)
  bool host_time = false;     ///< `-C`: times of the host, not of the device
  bool timestamp = false;     ///< `-S`: a date follows the row
  double seconds_per_unit = 1e-6;
};

/// The printed numbers of one half with their rounding, for the checks.
struct PrintedHalf {
  PrintedNumber time_s;
  PrintedNumber algbw_GBps;
  PrintedNumber busbw_GBps;
};

/// A row and what was printed for it, halves in the order of the line.
struct ParsedRow {
  MeasuredRow row;
  std::vector<PrintedHalf> printed;
  bool cut_short = false;  ///< the line broke off inside its second half
};

/// The layout, if `line` is a column header (`# size count type ...` or, 2017 to 2019,
/// `# bytes N type ...` with times in ms).
std::optional<RowLayout> parse_column_header(std::string_view line);
/// Takes the unit of time from the second header line, `# (B) (elements) (us) ...`.
void apply_unit_line(std::string_view line, RowLayout& layout);

/// Reads a table row; `layout` is null if no header was seen, and then the row must be consistent
/// in itself to be believed. Negative, NaN or unrepresentable numbers make it no row.
std::optional<ParsedRow> parse_row(std::string_view line, const RowLayout* layout);

/// True if the line looks like a piece of a row whose other half is missing.
bool is_row_fragment(std::string_view line);

/// True if algbw is size/time as far as the printed digits can tell.
bool algbw_matches(std::int64_t bytes, const PrintedHalf& half);

}  // namespace reducelab
