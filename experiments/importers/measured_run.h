#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reducelab {

/// One line of a measured table: one message size, out-of-place and in-place.
struct MeasuredRow {
  /// Times and rates of one half of the line, as printed (GB/s = 1e9 B/s).
  struct Half {
    double time_s = 0;
    double algbw_GBps = 0;
    double busbw_GBps = 0;
    /// Wrong elements; nothing if the run did not validate or printed an error magnitude instead.
    std::optional<std::int64_t> wrong;
  };

  std::int64_t bytes = 0;
  std::int64_t count = 0;  ///< elements, as printed
  std::string type;        ///< as printed, e.g. `float`
  std::string redop;       ///< as printed; "" or `none` for collectives that do not reduce
  int root = -1;
  std::optional<Half> out_of_place;
  std::optional<Half> in_place;
  int line = 0;  ///< line of the file, from 1

  /// Rows of size 0 time an empty call: they are kept, but belong in no fit and no comparison.
  bool usable_for_fits() const { return bytes > 0; }
};

/// One test of a benchmark log with everything that is needed to compare or to distrust it.
struct MeasuredRun {
  std::string collective;  ///< `all_reduce`, ...; "" if the log neither names nor shows it
  int ranks = 0;           ///< 0 if the log neither lists nor shows it
  int nodes = 0;           ///< distinct hosts; 0 if the log does not list every rank with its host
  std::string software;    ///< e.g. `NCCL 2.26.2+cuda12.8`; "" if not printed
  std::vector<MeasuredRow> rows;  ///< never empty
  std::optional<double> footer_average_busbw;
  bool aborted = false;
  std::string abort_reason;     ///< the first failure line, if aborted
  int skipped_noise_lines = 0;  ///< lines inside the table that are no rows
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  ///< each names its line where it has one
};

}  // namespace reducelab
