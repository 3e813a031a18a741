#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "sim/trace/run_spec.h"

namespace reducelab {

/// Seconds of the critical path by what they were spent on; they add up to the run's time.
struct TimeSplit {
  double floor_s = 0;       ///< before anything moved (launch)
  double overhead_s = 0;    ///< sending and receiving ranks' own work per message
  double latency_s = 0;     ///< paths, protocols and handshakes
  double bytes_s = 0;       ///< bytes at the full rate of their path
  double sharing_s = 0;     ///< waiting for a share of links that others use too
  double reduction_s = 0;   ///< reductions and copies
  double queueing_s = 0;    ///< waiting for the rank's own resources
  double slow_rank_s = 0;   ///< what a slow rank added
  double slow_link_s = 0;   ///< what a degraded link added
  double late_start_s = 0;  ///< waiting for a rank whose program started late
  double recovery_s = 0;    ///< attempts that failed, and what their failures cost

  double total_s() const {
    return floor_s + overhead_s + latency_s + bytes_s + sharing_s + reduction_s + queueing_s +
           slow_rank_s + slow_link_s + late_start_s + recovery_s;
  }
};

struct LinkUse {
  std::string link;
  double bytes = 0;  ///< on the wire, over the whole run
  double load = 0;   ///< of its capacity over the whole run, 0 to 1
};

/// One operation of the critical path, in time order.
struct PathStep {
  std::string what;      ///< `rank 3 -> rank 4, 64KiB`
  std::string resource;  ///< the link or rank that set the pace
  double begin_s = 0;
  double end_s = 0;
};

/// A rank that the run waited for: seconds of the critical path that would not be there if it were
/// as fast and as punctual as it should be.
struct Straggler {
  std::string who;  ///< `rank 3`
  double slow_s = 0;
  double late_s = 0;
};

/// A failure during a run, and what was done about it.
struct Recovery {
  std::string response;             ///< `restart`, `shrink` or `spare`
  std::vector<std::string> failed;  ///< participants: `rank 3`
  double failed_at_s = 0;
  double detected_at_s = 0;
  double resumed_at_s = 0;
  int ranks = 0;  ///< that took part from then on
};

/// What `--explain` adds to a result.
struct Explanation {
  TimeSplit split;
  std::vector<LinkUse> busiest_links;
  std::vector<PathStep> path;
  std::vector<Straggler> stragglers;  ///< who cost most first
};

/// What a run gave; `spec` says everything that was asked for.
struct RunResult {
  RunSpec spec;
  int ranks = 0;
  std::optional<int> ranks_simulated;  ///< where they stood for all others; empty: all were
  int channels = 0;                    ///< 0: the algorithm has none
  std::int64_t slice_bytes = 0;
  double time_s = 0;
  std::uint64_t messages = 0;
  std::int64_t bytes_sent = 0;          ///< payload, over all participants
  std::uint32_t steps = 0;              ///< messages on the longest chain of dependent messages
  std::string network_model;            ///< e.g. `simgrid 3.32 CM02, equal sharing`
  std::optional<double> closed_form_s;  ///< analytic time on this machine, if there is a form
  bool closed_form_exact = false;

  std::optional<bool> verified;       ///< empty: no data was moved
  std::string data;                   ///< `full`, `sampled` or `none`
  std::string reducer;                ///< which device did the math
  std::int64_t checked_elements = 0;  ///< per rank
  std::int64_t wrong = 0;             ///< elements outside the error bound, over all ranks
  double max_abs_error = 0;
  double max_rel_error = 0;
  double max_ulps = 0;
  bool ranks_identical = false;
  double reduce_wall_s = 0;  ///< real seconds spent on the math
  double wall_s = 0;         ///< real seconds of the whole run
  std::vector<Recovery> recoveries;
  std::optional<Explanation> explanation;

  /// Elements that were reduced, and their bytes (the size asked for, cut to whole elements).
  std::int64_t count() const { return spec.bytes / size_of(spec.type); }
  /// bytes / time, in 1e9 bytes per second, as nccl-tests defines it.
  double algbw_GBps() const;
  /// algbw x 2 (n - 1) / n, as nccl-tests defines it for all-reduce.
  double busbw_GBps() const;
};

/// One JSON object, and its inverse.
std::string to_json(const RunResult& result);
RunResult run_result_from_json(const std::string& text);

}  // namespace reducelab
