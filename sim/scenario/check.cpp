#include "sim/scenario/check.h"

#include <cmath>

namespace reducelab {
namespace {

using Found = std::optional<Fault>;

/// Below it a period or a size is a slip, and stepping through it would never end.
constexpr double kLeastPeriodS = 1e-9;
/// Doubles hold whole bytes up to here.
constexpr double kMostBytes = 0x1p53;

Found above_zero(std::string_view key, double value) {
  if (value > 0 && std::isfinite(value)) return std::nullopt;
  return Fault{key, fmt::format("must be above 0, not {}", value)};
}

Found not_negative(std::string_view key, double value) {
  if (value >= 0 && std::isfinite(value)) return std::nullopt;
  return Fault{key, fmt::format("must be 0 or more, not {}", value)};
}

Found fault_of_window(const Window& window, std::string_view from = "from",
                      std::string_view until = "until") {
  if (Found fault = not_negative(from, window.from_s)) return fault;
  if (window.until_s > window.from_s) return std::nullopt;
  return Fault{until,
               fmt::format("is {}s, not after the start at {}s", window.until_s, window.from_s)};
}

Found fault_of_resources(ResourceSet resources) {
  if (!resources.empty()) return std::nullopt;
  return Fault{"applies_to", "names no resource"};
}

Found fault_of_period(double period_s, std::string_view key, double part_s) {
  if (!(period_s >= kLeastPeriodS) || !std::isfinite(period_s)) {
    return Fault{"period", fmt::format("must be at least 1ns, not {}s", period_s)};
  }
  if (Found fault = above_zero(key, part_s)) return fault;
  if (part_s < period_s) return std::nullopt;
  return Fault{key,
               fmt::format("is {}s, which must be less than the period of {}s", part_s, period_s)};
}

Found fault_of_names(std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) return Fault{key, "names nothing"};
  for (const std::string& name : names) {
    if (name.empty()) return Fault{key, "holds an empty name"};
  }
  return std::nullopt;
}

Found first_of(std::initializer_list<Found> faults) {
  for (const Found& fault : faults) {
    if (fault) return fault;
  }
  return std::nullopt;
}

template <class Disturbance>
void require(const Disturbance& disturbance) {
  if (const Found fault = fault_of(disturbance)) {
    throw Error(ErrorCode::usage, fmt::format("{} {}", fault->key, fault->why),
                disturbance.origin.place);
  }
}

}  // namespace

std::optional<Fault> fault_of(const Distribution& distribution) {
  const auto& [kind, first, second] = distribution;
  const auto parameters = parameters_of(kind);
  switch (kind) {
    case DistributionKind::fixed:
      return not_negative(parameters[0].name, first);
    case DistributionKind::uniform:
      if (Found fault = not_negative(parameters[0].name, first)) return fault;
      if (second >= first && std::isfinite(second)) return std::nullopt;
      return Fault{parameters[1].name, fmt::format("is {}, below low, {}", second, first)};
    case DistributionKind::normal:
    case DistributionKind::exponential:
    case DistributionKind::log_normal:
      return first_of(
          {above_zero(parameters[0].name, first), not_negative(parameters[1].name, second)});
    case DistributionKind::pareto:
      return first_of(
          {above_zero(parameters[0].name, first), above_zero(parameters[1].name, second)});
  }
  return std::nullopt;
}

std::optional<Fault> fault_of(const SlowRank& slow) {
  return first_of({above_zero("factor", slow.factor), fault_of_window(slow.window),
                   fault_of_resources(slow.resources)});
}

std::optional<Fault> fault_of(const Delay& delay) {
  return first_of({not_negative("at", delay.at_s), above_zero("duration", delay.duration_s),
                   fault_of_resources(delay.resources)});
}

std::optional<Fault> fault_of(const Noise& noise) {
  return first_of({fault_of_period(noise.period_s, "duration", noise.duration_s),
                   fault_of_resources(noise.resources)});
}

std::optional<Fault> fault_of(const Arrival& arrival) {
  for (const double time_s : arrival.times_s) {
    if (Found fault = not_negative("times", time_s)) return fault;
  }
  return arrival.times_s.empty() ? fault_of(arrival.distribution) : std::nullopt;
}

std::optional<Fault> fault_of(const SlowLink& slow) {
  if (slow.bandwidth_factor == 1 && !slow.bandwidth_bytes_per_s && slow.extra_latency_s == 0) {
    return Fault{"links", "keep their speed: give bandwidth_factor, bandwidth or extra_latency"};
  }
  return first_of(
      {fault_of_names("links", slow.links), above_zero("bandwidth_factor", slow.bandwidth_factor),
       above_zero("bandwidth", slow.bandwidth_bytes_per_s.value_or(1)),
       not_negative("extra_latency", slow.extra_latency_s), fault_of_window(slow.window)});
}

std::optional<Fault> fault_of(const LinkDown& down) {
  return first_of(
      {fault_of_names("links", down.links), fault_of_window({down.at_s, down.up_s}, "at", "up")});
}

std::optional<Fault> fault_of(const FlappingLink& flapping) {
  return first_of({fault_of_names("links", flapping.links),
                   fault_of_period(flapping.period_s, "down", flapping.down_s),
                   fault_of_window({flapping.first_s, flapping.until_s}, "first")});
}

std::optional<Fault> fault_of(const Failure& failure) {
  if (failure.kind == FailureKind::device) {
    if (failure.device.empty()) return Fault{"device", "is empty"};
  } else if (failure.number < 0) {
    return Fault{name_of(failure.kind), fmt::format("must be 0 or more, not {}", failure.number)};
  }
  return not_negative("at", failure.at_s);
}

std::optional<Fault> fault_of(const FailurePolicy& policy) {
  return first_of({above_zero("timeout", policy.timeout_s),
                   not_negative("restart_cost", policy.restart_cost_s)});
}

std::optional<Fault> fault_of(const BackgroundTraffic& traffic) {
  const bool fixed = traffic.pattern == TrafficPattern::fixed;
  const bool incast = traffic.pattern == TrafficPattern::incast;
  if (traffic.from_device.empty() == fixed) {
    return Fault{"from_device", fixed ? "is missing: a fixed flow needs from_device and to_device"
                                      : "belongs to the pattern fixed only"};
  }
  if (traffic.to_device.empty() == (fixed || incast)) {
    return Fault{"to_device", fixed || incast ? "is missing: name the device that receives"
                                              : "belongs to the patterns fixed and incast only"};
  }
  if (fixed && !traffic.places.empty()) return Fault{"places", "does not go with pattern fixed"};
  if (traffic.load_bytes_per_s && traffic.flows_per_s) {
    return Fault{"flows_per_s", "and load exclude each other"};
  }
  if (Found fault = fault_of(traffic.bytes)) return fault;
  const double mean = mean_of(traffic.bytes);
  if (!(mean > 0)) return Fault{"bytes", "must not be 0"};
  if (traffic.load_bytes_per_s && !std::isfinite(mean)) {
    return Fault{"load", "needs sizes with a finite mean (a Pareto shape above 1)"};
  }
  const auto parameters = parameters_of(traffic.bytes.kind);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double value = i == 0 ? traffic.bytes.first : traffic.bytes.second;
    if (!parameters[i].is_quantity || (value == std::floor(value) && value <= kMostBytes)) continue;
    return Fault{"bytes", fmt::format("must be whole and at most 2^53, not {}", value)};
  }
  if (traffic.max_flows.value_or(1) < 1) return Fault{"max_flows", "must be at least 1"};
  return first_of({above_zero("load", traffic.load_bytes_per_s.value_or(1)),
                   above_zero("flows_per_s", traffic.flows_per_s.value_or(1)),
                   fault_of_window(traffic.window)});
}

void require_possible(const Scenario& scenario) {
  for (const auto& entry : scenario.slow_ranks) require(entry);
  for (const auto& entry : scenario.delays) require(entry);
  for (const auto& entry : scenario.noises) require(entry);
  for (const auto& entry : scenario.arrivals) require(entry);
  for (const auto& entry : scenario.slow_links) require(entry);
  for (const auto& entry : scenario.links_down) require(entry);
  for (const auto& entry : scenario.flapping_links) require(entry);
  for (const auto& entry : scenario.failures) require(entry);
  for (const auto& entry : scenario.traffic) require(entry);
  require(scenario.failure_policy);
}

}  // namespace reducelab
