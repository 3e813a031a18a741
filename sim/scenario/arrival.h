#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sim/scenario/distributions.h"
#include "sim/scenario/origin.h"
#include "sim/scenario/rank_set.h"

namespace reducelab {

/// When ranks start, in seconds after time 0: the listed times, one for each of `ranks` in order
/// (times beyond the last rank are left out), or if there are none a draw per rank. Several add up.
struct Arrival {
  RankSet ranks;
  std::vector<double> times_s;
  Distribution distribution;
  Origin origin;
  bool operator==(const Arrival&) const = default;
};

/// Reads times such as `1.5ms`, one a line; what follows `#` is a comment, empty lines do not
/// count. A fault is a usage Error with its line in `file_name`.
std::vector<double> read_arrival_times(std::string_view text, std::string_view file_name);

/// The same from a file.
std::vector<double> load_arrival_times(const std::filesystem::path& path);

}  // namespace reducelab
