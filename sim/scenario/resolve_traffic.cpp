#include <algorithm>
#include <numeric>

#include "sim/scenario/link_selector.h"
#include "sim/scenario/resolve_parts.h"
#include "topologies/glob.h"

namespace reducelab {
namespace {

using Places = std::vector<DeviceId>;

/// Random numbers of a source belong to its device, those of a choice made once for all to none.
RandomStream stream_of(std::uint64_t seed, std::size_t rule, std::uint32_t device) {
  return {seed, RandomPurpose::traffic, (static_cast<std::uint64_t>(rule) << 32) | device};
}
constexpr std::uint32_t kNoDevice = 0xffffffff;

/// The places that the rule names.
Places chosen_places(const Topology& topology, const BackgroundTraffic& traffic) {
  const Places all = topology.endpoints();
  if (traffic.places.empty()) return all;
  std::vector<bool> chosen(all.size());
  for (const std::string& pattern : traffic.places) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!matches_glob(pattern, topology.device(all[i]).name)) continue;
      chosen[i] = true;
      found = true;
    }
    if (!found) throw usage_error("places: no place for a rank is named \"{}\"", pattern);
  }
  Places places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) places.push_back(all[i]);
  }
  return places;
}

DeviceId named_place(const Topology& topology, const std::string& name) {
  const DeviceId device = find_named_device(topology, name);
  const Places places = topology.endpoints();
  if (std::ranges::find(places, device) == places.end()) {
    throw usage_error("\"{}\" is a {}, not a place for a rank: traffic starts and ends there only",
                      name, name_of(topology.device(device).kind));
  }
  return device;
}

/// One cycle through all places, so that none sends to itself (Sattolo 1986).
Places cyclic_targets(const Places& places, const RandomStream& stream) {
  Places order = places;
  for (std::size_t i = order.size(); i-- > 1;) {
    const double u = stream.uniform(i);
    std::swap(order[i], order[static_cast<std::size_t>(u * static_cast<double>(i))]);
  }
  return order;
}

void add_sources(const ResolveInput& input, std::size_t rule,
                 std::vector<BackgroundSource>& sources) {
  const BackgroundTraffic& traffic = input.scenario.traffic[rule];
  const auto add = [&](DeviceId from, DeviceId to, std::shared_ptr<const Places> targets) {
    sources.emplace_back(traffic, from, to, std::move(targets),
                         stream_of(input.seed, rule, static_cast<std::uint32_t>(from)));
  };
  if (traffic.pattern == TrafficPattern::fixed) {
    const DeviceId from = named_place(input.topology, traffic.from_device);
    const DeviceId to = named_place(input.topology, traffic.to_device);
    if (from == to) throw usage_error("a fixed flow from \"{}\" to itself", traffic.from_device);
    add(from, to, nullptr);
    return;
  }
  const auto places = std::make_shared<const Places>(chosen_places(input.topology, traffic));
  if (traffic.pattern == TrafficPattern::incast) {
    const DeviceId to = named_place(input.topology, traffic.to_device);
    if (places->size() == 1 && places->front() == to) {
      throw usage_error("incast to \"{}\" has no sender but itself", traffic.to_device);
    }
    for (const DeviceId from : *places) {
      if (from != to) add(from, to, nullptr);
    }
    return;
  }
  if (places->size() < 2) throw usage_error("traffic needs at least two places");
  if (traffic.pattern == TrafficPattern::uniform) {
    for (const DeviceId from : *places) add(from, -1, places);
    return;
  }
  const Places targets = cyclic_targets(*places, stream_of(input.seed, rule, kNoDevice));
  for (std::size_t i = 0; i < places->size(); ++i) add((*places)[i], targets[i], nullptr);
}

}  // namespace

void resolve_traffic(const ResolveInput& input, ResolvedScenario& resolved) {
  for (std::size_t rule = 0; rule < input.scenario.traffic.size(); ++rule) {
    at_origin(input.scenario.traffic[rule].origin,
              [&] { add_sources(input, rule, resolved.traffic); });
  }
}

}  // namespace reducelab
