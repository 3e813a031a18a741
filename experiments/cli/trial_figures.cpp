#include "experiments/cli/trial_figures.h"

#include <fmt/format.h>

#include "core/units.h"

namespace reducelab {

std::string brief(double seconds) {
  return format_duration(std::stod(fmt::format("{:.4g}", seconds)));
}

std::string interval_text(const Estimate& estimate) {
  if (!estimate.interval) return "-";
  return fmt::format("{} .. {}", brief(estimate.interval->low_s), brief(estimate.interval->high_s));
}

}  // namespace reducelab
