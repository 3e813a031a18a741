#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/importers/measured_run.h"
#include "experiments/importers/nccl_row.h"

namespace reducelab {

/// A test while its lines are being read.
struct DraftRun {
  std::string collective;
  std::string software;
  std::vector<ParsedRow> rows;
  std::optional<RowLayout> layout;
  std::optional<PrintedNumber> footer;
  int last_rank = -1;  ///< highest rank of the device list
  int device_lines = 0;
  int lines_of_rank_zero = 0;
  int lines_with_host = 0;
  std::set<std::string, std::less<>> hosts;
  bool ended = false;  ///< a footer line was seen
  int lost_rows = 0;   ///< lines that were pieces of rows
  int noise_lines = 0;
  std::string failure;  ///< first failure line, quoted
  int failure_line = 0;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;

  bool has_table() const { return layout.has_value() || !rows.empty(); }
};

/// Works out what the log does not say (ranks, collective), checks rows and footer, and makes the
/// result. The draft must have rows.
MeasuredRun finish_run(DraftRun draft);

}  // namespace reducelab
