#include "sim/scenario/link_selector.h"
#include "sim/scenario/resolve_parts.h"

namespace reducelab {
namespace {

template <class Disturbance>
void add_rule(const ResolveInput& input, const Disturbance& disturbance, const PulseTrain& when,
              const LinkEffect& effect, LinkTimelines& timelines) {
  std::vector<LinkId> links;
  for (const std::string& selector : disturbance.links) {
    const auto more = at_origin(disturbance.origin, [&] {
      return select_links(selector, input.topology, input.placement, input.ranks);
    });
    links.insert(links.end(), more.begin(), more.end());
  }
  timelines.add(input.topology, links, when, effect);
}

}  // namespace

void resolve_links(const ResolveInput& input, ResolvedScenario& resolved) {
  const LinkEffect down{1, {}, 0, true};
  for (const SlowLink& slow : input.scenario.slow_links) {
    add_rule(input, slow, PulseTrain::once(slow.window),
             {slow.bandwidth_factor, slow.bandwidth_bytes_per_s, slow.extra_latency_s, false},
             resolved.links);
  }
  for (const LinkDown& outage : input.scenario.links_down) {
    add_rule(input, outage, PulseTrain::once({outage.at_s, outage.up_s}), down, resolved.links);
  }
  for (const FlappingLink& flapping : input.scenario.flapping_links) {
    add_rule(input, flapping,
             {flapping.first_s, flapping.down_s, flapping.period_s, flapping.until_s}, down,
             resolved.links);
  }
}

}  // namespace reducelab
