#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reducelab {

/// What a person fills in to compare algorithms; the texts are those of the command line.
struct ComparisonRequest {
  std::string topology = "dgx-h100:nodes=4";
  std::string profile = "nccl";
  std::string sizes = "1KiB:64MiB:x4";
  std::string type = "float";
  int ranks = 0;                        ///< 0: every place of the topology
  std::vector<std::string> algorithms;  ///< empty: all of them
};

/// What is wrong with a list of sizes, for showing while it is typed; "" if nothing is.
std::string fault_of_sizes(const std::string& sizes);

/// What is wrong with the topology or the number of ranks; "" if nothing is. It reads or builds the
/// topology, which takes seconds for the largest: not for the thread that paints.
std::string fault_of_topology(const ComparisonRequest& request);

/// The words that follow `reducelab` on the command line.
std::vector<std::string> compare_arguments(const ComparisonRequest& request);

/// The same as a line for a shell, with `reducelab` in front and quotes where they are needed.
std::string command_line(const ComparisonRequest& request);

struct ComparisonCell {
  double time_s = 0;
  double busbw_GBps = 0;  ///< as nccl-tests defines it
  bool fastest = false;   ///< of its size
};

/// The result of `reducelab compare --json`, by size and algorithm.
struct Comparison {
  std::vector<std::int64_t> sizes;      ///< bytes, ascending
  std::vector<std::string> algorithms;  ///< in the order of the result
  std::map<std::pair<std::int64_t, std::string>, ComparisonCell> cells;
  std::vector<std::string> remarks;  ///< what was skipped or failed, and why
};

/// Reads that result; text that is none is an Error, and so is an error object in its place.
Comparison parse_comparison(const std::string& json);

/// What a `reducelab compare --json` that has ended left behind.
struct ProcessEnd {
  std::string out;
  std::string err;
  int code = 0;          ///< the exit code, or the signal's number if it crashed
  bool crashed = false;  ///< ended by a signal
};

/// The comparison it printed, or an Error that says why there is none: the error object it printed,
/// else how it ended with the last line of what it said.
Comparison comparison_of(const ProcessEnd& end);

/// RFC 4180: bytes, algorithm, time_s, busbw_GBps, fastest.
std::string to_csv(const Comparison& comparison);

}  // namespace reducelab
