#include "sim/scenario/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.h"

namespace reducelab {
namespace {

std::string who(const RankSet& ranks) {
  if (ranks.all) return "all ranks";
  const std::string text = format_rank_set(ranks);
  return (text.find_first_of(",-") == text.npos ? "rank " : "ranks ") + text;
}

std::string when(const Window& window) {
  if (window.always()) return {};
  if (window.until_s == kForever) return ", from " + format_duration(window.from_s);
  return fmt::format(", from {} to {}", format_duration(window.from_s),
                     format_duration(window.until_s));
}

std::string work(const ResourceSet& resources) {
  return resources.all() ? "own work" : format_resource_set(resources);
}

std::string describe_link(const SlowLink& link) {
  std::vector<std::string> what;
  if (link.bandwidth_bytes_per_s) what.push_back(format_bandwidth(*link.bandwidth_bytes_per_s));
  if (link.bandwidth_factor != 1) what.push_back(fmt::format("{} x bandwidth", link.bandwidth_factor));
  if (link.extra_latency_s != 0) what.push_back("+" + format_duration(link.extra_latency_s));
  return fmt::format("link {}: {}{}", fmt::join(link.links, ", "), fmt::join(what, ", "),
                     when(link.window));
}

std::string describe_failure(const Failure& failure) {
  const std::string what =
      failure.kind == FailureKind::device
          ? "device " + failure.device
          : fmt::format("{} {}", name_of(failure.kind), failure.number);
  return fmt::format("{}: fails at {}", what, format_duration(failure.at_s));
}

}  // namespace

std::vector<std::string> describe(const Scenario& scenario) {
  std::vector<std::string> lines;
  if (!scenario.name.empty()) lines.push_back(scenario.name);
  for (const SlowRank& slow : scenario.slow_ranks) {
    lines.push_back(fmt::format("{}: {} takes {} times as long{}", who(slow.ranks),
                                work(slow.resources), slow.factor, when(slow.window)));
  }
  for (const Delay& delay : scenario.delays) {
    lines.push_back(fmt::format("{}: {} stops at {} for {}", who(delay.ranks),
                                work(delay.resources), format_duration(delay.at_s),
                                format_duration(delay.duration_s)));
  }
  for (const Noise& noise : scenario.noises) {
    lines.push_back(fmt::format("{}: noise of {} every {}", who(noise.ranks),
                                format_duration(noise.duration_s),
                                format_duration(noise.period_s)));
  }
  for (const Arrival& arrival : scenario.arrivals) {
    lines.push_back(fmt::format(
        "{}: start {}", who(arrival.ranks),
        arrival.times_s.empty()
            ? fmt::format("late ({}, mean {})", name_of(arrival.distribution.kind),
                          format_duration(mean_of(arrival.distribution)))
            : std::string("at given times")));
  }
  for (const SlowLink& link : scenario.slow_links) lines.push_back(describe_link(link));
  for (const LinkDown& link : scenario.links_down) {
    lines.push_back(fmt::format("link {}: down{}", fmt::join(link.links, ", "),
                                when({link.at_s, link.up_s})));
  }
  for (const FlappingLink& link : scenario.flapping_links) {
    lines.push_back(fmt::format("link {}: down for {} every {}", fmt::join(link.links, ", "),
                                format_duration(link.down_s), format_duration(link.period_s)));
  }
  for (const Failure& failure : scenario.failures) lines.push_back(describe_failure(failure));
  if (!scenario.failures.empty()) {
    lines.push_back(fmt::format("on failure: {}, detected after {}",
                                name_of(scenario.failure_policy.response),
                                format_duration(scenario.failure_policy.timeout_s)));
  }
  for (const BackgroundTraffic& traffic : scenario.traffic) {
    lines.push_back(fmt::format("traffic of others: {}{}", name_of(traffic.pattern),
                                when(traffic.window)));
  }
  return lines;
}

}  // namespace reducelab
