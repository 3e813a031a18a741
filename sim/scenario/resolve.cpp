#include "sim/scenario/check.h"
#include "sim/scenario/resolve_parts.h"

namespace reducelab {

bool ResolvedScenario::empty() const {
  return timelines.empty() && arrival_s.empty() && links.empty() && failures.empty() &&
         traffic.empty();
}

const RankTimeline& ResolvedScenario::timeline(int participant) const {
  static const RankTimeline plain;
  return timelines.empty() ? plain : timelines.at(static_cast<std::size_t>(participant));
}

ResolvedScenario resolve(const Scenario& scenario, const Topology& topology,
                         std::span<const DeviceId> placement, int ranks, std::uint64_t seed) {
  require_possible(scenario);
  const ResolveInput input{scenario, topology, placement, ranks, seed};
  ResolvedScenario resolved;
  resolved.failure_policy = scenario.failure_policy;
  resolve_ranks(input, resolved);
  resolve_links(input, resolved);
  resolve_failures(input, resolved);
  resolve_traffic(input, resolved);
  return resolved;
}

}  // namespace reducelab
