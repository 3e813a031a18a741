#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/units.h"
#include "topologies/bisection.h"
#include "topologies/check.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

std::string counts(const Topology& topology) {
  std::array<int, 4> of_kind{};
  std::set<int> nodes;
  for (const Device& device : topology.devices()) {
    ++of_kind.at(static_cast<std::size_t>(device.kind));
    if (device.node >= 0) nodes.insert(device.node);
  }
  std::string line = fmt::format("{} nodes", nodes.size());
  constexpr std::array<std::string_view, 4> plurals{"hosts", "GPUs", "NICs", "switches"};
  for (std::size_t kind = 0; kind < of_kind.size(); ++kind) {
    if (of_kind.at(kind) > 0) line += fmt::format(", {} {}", of_kind.at(kind), plurals.at(kind));
  }
  return line;
}

std::string link_classes(const Topology& topology) {
  using Class = std::tuple<LinkKind, double, double, bool>;
  std::map<Class, int> count_of;
  for (const Link& link : topology.links()) {
    ++count_of[{link.kind, link.bandwidth_bytes_per_s, link.latency_s, link.shared}];
  }
  std::string lines =
      fmt::format("{:<10} {:>8} {:>12} {:>10}\n", "links", "count", "bandwidth", "latency");
  constexpr std::size_t kMostClasses = 24;
  std::size_t shown = 0;
  for (const auto& [kind, count] : count_of) {
    if (++shown > kMostClasses) {
      lines += fmt::format("... and {} more classes\n", count_of.size() - kMostClasses);
      break;
    }
    const auto& [technology, bandwidth, latency_s, shared] = kind;
    lines += fmt::format("{:<10} {:>8} {:>12} {:>10}{}\n", name_of(technology), count,
                         format_bandwidth(bandwidth), format_duration(latency_s),
                         shared ? "  half duplex" : "");
  }
  return lines;
}

std::string example_route(const Topology& topology, Router& router, DeviceId from, DeviceId to) {
  const Route& route = router.route(from, to);
  std::string line = topology.device(from).name;
  DeviceId here = from;
  for (const LinkId id : route.links) {
    const Link& link = topology.link(id);
    here = link.from == here ? link.to : link.from;
    line += " > " + topology.device(here).name;
  }
  return fmt::format("{}: {}, {}\n", line, format_duration(route.latency_s),
                     format_bandwidth(route.bandwidth_bytes_per_s));
}

}  // namespace

std::string describe_topology(const Topology& topology) {
  std::string text = topology.name() + "\n";
  if (!topology.description().empty()) text += topology.description() + "\n";
  const auto endpoints = topology.endpoints();
  text += fmt::format("\n{}\n{} places for ranks, {} routing\n\n", counts(topology),
                      endpoints.size(), name_of(topology.routing()));
  text += link_classes(topology);
  if (const auto bisection = bisection_bytes_per_s(topology)) {
    text += fmt::format("\nfrom the first half of the places to the second: {}\n",
                        format_bandwidth(*bisection));
  }
  if (endpoints.size() < 2) return text;
  text += "\nroutes (latency, narrowest link)\n";
  Router router(topology);
  // Neighbours, far ends, and the same rail of another node, whichever differ.
  std::vector<DeviceId> targets{endpoints[1]};
  const DeviceId first = endpoints.front();
  const auto elsewhere = std::ranges::find_if(endpoints, [&](DeviceId id) {
    return topology.device(id).node != topology.device(first).node;
  });
  if (elsewhere != endpoints.end()) targets.push_back(*elsewhere);
  targets.push_back(endpoints.back());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::find(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(i), targets[i]) !=
        targets.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;
    }
    try {
      text += example_route(topology, router, first, targets[i]);
    } catch (const Error& error) {
      text += error.message() + "\n";
    }
  }
  return text;
}

}  // namespace reducelab
