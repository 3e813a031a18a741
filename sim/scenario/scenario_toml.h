#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace reducelab {

/// Reads a scenario file; every fault is a usage Error with file:line:col. All tables may be left
/// out; all but the last may stand several times.
///
///     name = "..."                     # and description
///     [[slow_rank]]
///     ranks = "0-3,7"                  # or 3; left out: all
///     factor = 1.5                     # takes 1.5 times as long
///     applies_to = ["compute", "reductions", "overhead"]   # left out: all three
///     from = "1ms"                     # left out: always
///     until = "2ms"
///     [[delay]]                        # ranks, applies_to; nothing is done for a while
///     at = "1ms"
///     duration = "2ms"
///     [[noise]]                        # ranks, applies_to
///     period = "1ms"
///     duration = "25us"
///     synchronised = false             # true: all ranks at once, from time 0
///     [[arrival]]                      # ranks
///     kind = "exponential"             # with mean, offset; or fixed (value), uniform (low, high),
///     mean = "1ms"                     # normal (mean, sd), log-normal (median, sigma),
///                                      # pareto (scale, shape); or instead of kind
///                                      # times = ["0s", "1ms"] or file = "times.txt"
///     [[slow_link]]
///     links = "leaf0->*"               # name, glob, a->b, "rank 3", or an array of them
///     bandwidth_factor = 0.5           # or bandwidth = "25Gbps"
///     extra_latency = "5us"            # from, until as above
///     [[link_down]]                    # links
///     at = "1ms"
///     up = "2ms"                       # left out: stays down
///     [[flapping_link]]                # links
///     first = "1ms"
///     period = "2ms"
///     down = "100us"
///     until = "1s"                     # left out: for ever
///     [[failure]]
///     rank = 3                         # or node = 1 (all of its devices), or device = "leaf0"
///     at = "2ms"
///     [[traffic]]
///     pattern = "uniform"              # permutation; incast (to_device); fixed (and from_device)
///     places = "h1*"                   # left out: all places for ranks
///     load = "10Gbps"                  # of each source, or flows_per_s = 1000; left out: one flow
///     bytes = "1MiB"                   # or sizes = { kind = "pareto", scale = "64KiB", ... }
///     max_flows = 100                  # of each source; from, until: when flows start
///     [failure_policy]
///     response = "abort"               # restart, shrink, spare
///     timeout = "10s"
///     restart_cost = "0s"
///
/// An arrival file is looked for beside the scenario's.
Scenario read_scenario_toml(std::string_view text, const std::string& file_name);

/// Reads the file; one that cannot be read is a usage Error.
Scenario load_scenario(const std::string& path);

/// The canonical text: it stands alone (arrival times of a file are written out) and reads back as
/// an equal scenario, to the last bit of every number.
std::string write_scenario_toml(const Scenario& scenario);

}  // namespace reducelab
