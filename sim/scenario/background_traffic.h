#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/distributions.h"
#include "sim/scenario/origin.h"
#include "sim/scenario/window.h"

namespace reducelab {

/// Who sends to whom: each place to one other, chosen once; all to one; each to any other, chosen
/// anew for every flow; or one named device to another.
enum class TrafficPattern : std::uint8_t { permutation, incast, uniform, fixed };

/// Traffic of others, between the places for ranks (whether or not ours use them). Flows of each
/// source start as a Poisson process within the window; without a rate there is one flow per
/// source, at the window's start.
struct BackgroundTraffic {
  TrafficPattern pattern = TrafficPattern::uniform;
  std::vector<std::string> places;  ///< names or globs that choose among the places; empty: all
  std::string from_device;          ///< name, for `fixed`
  std::string to_device;            ///< name, for `fixed` and `incast`
  std::optional<double> load_bytes_per_s;  ///< offered by each source; excludes flows_per_s
  std::optional<double> flows_per_s;       ///< of each source
  Distribution bytes = Distribution::fixed(1 << 20);
  Window window;                          ///< flows start within it
  std::optional<std::int64_t> max_flows;  ///< of each source; none: no end but the window's
  Origin origin;
  bool operator==(const BackgroundTraffic&) const = default;
};

/// `permutation`, `incast`, `uniform`, `fixed`.
std::string_view name_of(TrafficPattern pattern);
std::span<const TrafficPattern> all_traffic_patterns();

}  // namespace reducelab
