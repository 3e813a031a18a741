#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/origin.h"
#include "sim/scenario/window.h"

namespace reducelab {

/// Links with another bandwidth or a longer latency during the window. A link is named by its name,
/// a glob (`leaf0->*`), the two devices it joins (`a->b`) or `rank 3`: all at that rank's device.
struct SlowLink {
  std::vector<std::string> links;
  double bandwidth_factor = 1;                  ///< above 0
  std::optional<double> bandwidth_bytes_per_s;  ///< in place of the link's own
  double extra_latency_s = 0;
  Window window;
  Origin origin;
  bool operator==(const SlowLink&) const = default;
};

/// Links that carry nothing in [at_s, up_s).
struct LinkDown {
  std::vector<std::string> links;
  double at_s = 0;
  double up_s = kForever;
  Origin origin;
  bool operator==(const LinkDown&) const = default;
};

/// Links that go down for `down_s` at `first_s` and again every `period_s`, until `until_s`.
struct FlappingLink {
  std::vector<std::string> links;
  double first_s = 0;
  double period_s = 0;
  double down_s = 0;  ///< below the period
  double until_s = kForever;
  Origin origin;
  bool operator==(const FlappingLink&) const = default;
};

}  // namespace reducelab
