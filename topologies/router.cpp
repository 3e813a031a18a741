#include "topologies/router.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"

namespace reducelab {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
/// Hop tables kept at once, in entries (64 MiB); they are cheap to compute again.
constexpr std::size_t kMostTableEntries = 16'777'216;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

std::uint64_t pair_key(DeviceId from, DeviceId to) {
  return (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint32_t>(to);
}

}  // namespace

Router::Router(const Topology& topology) : topology_(topology) {
  const auto devices = topology.devices();
  std::vector<DeviceId> forwarders;
  forwarder_.assign(devices.size(), -1);
  for (DeviceId id = 0; id < static_cast<DeviceId>(devices.size()); ++id) {
    if (!topology.forwards(id)) continue;
    forwarder_[at(id)] = static_cast<int>(forwarders.size());
    forwarders.push_back(id);
  }
  if (topology.routing() != RoutingPolicy::dimension_order) {
    forwarder_out_.resize(forwarders.size());
    forwarder_in_.resize(forwarders.size());
    for (std::size_t i = 0; i < forwarders.size(); ++i) {
      for (const Edge edge : topology.out_edges(forwarders[i])) {
        const int peer = forwarder_[at(edge.peer)];
        if (peer < 0) continue;
        forwarder_out_[i].push_back(edge);
        forwarder_in_[at(peer)].push_back(static_cast<int>(i));
      }
    }
  }
  if (topology.routing() == RoutingPolicy::rail) {
    rail_of_.assign(devices.size(), -1);
    for (DeviceId id = 0; id < static_cast<DeviceId>(devices.size()); ++id) {
      const Device& device = devices[at(id)];
      if (device.kind != DeviceKind::gpu || device.node < 0) continue;
      if (at(device.node) >= gpus_of_node_.size()) gpus_of_node_.resize(at(device.node) + 1);
      auto& gpus = gpus_of_node_[at(device.node)];
      rail_of_[at(id)] = static_cast<int>(gpus.size());
      gpus.push_back(id);
    }
  }
}

const Route& Router::route(DeviceId from, DeviceId to) {
  const auto count = static_cast<DeviceId>(topology_.devices().size());
  if (from < 0 || from >= count || to < 0 || to >= count) {
    throw Error(ErrorCode::bug, fmt::format("route from device {} to {} of {}", from, to, count));
  }
  const std::uint64_t key = pair_key(from, to);
  if (const auto known = routes_.find(key); known != routes_.end()) return known->second;
  Route route;
  if (topology_.routing() == RoutingPolicy::dimension_order) {
    append_by_dimension(from, to, route);
  } else if (const DeviceId relay = rail_relay(from, to); relay >= 0) {
    append_shortest(from, relay, route);
    append_shortest(relay, to, route);
  } else {
    append_shortest(from, to, route);
  }
  measure(from, route);
  return routes_.emplace(key, std::move(route)).first->second;
}

void Router::append_shortest(DeviceId from, DeviceId to, Route& route) {
  if (from == to) return;
  const HopTable& hops = hops_towards(to);
  DeviceId here = from;
  for (std::uint64_t depth = 0; here != to; ++depth) {
    candidates_.clear();
    // The shorter of the two lists: a switch may have 65536 ports, its neighbour one.
    const auto out = topology_.out_edges(here);
    const auto in = topology_.in_edges(to);
    if (out.size() <= in.size()) {
      std::ranges::copy_if(out, std::back_inserter(candidates_),
                           [&](Edge edge) { return edge.peer == to; });
    } else {
      for (const Edge edge : in) {
        if (edge.peer == here) candidates_.push_back({edge.link, to});
      }
    }
    if (candidates_.empty()) {
      const int index = forwarder_[at(here)];
      std::uint32_t nearest = kFar;
      for (const Edge edge : index < 0 ? out : std::span<const Edge>(forwarder_out_[at(index)])) {
        const int peer = forwarder_[at(edge.peer)];
        if (peer < 0 || hops[at(peer)] > nearest || hops[at(peer)] == kFar) continue;
        if (hops[at(peer)] < nearest) candidates_.clear();
        nearest = hops[at(peer)];
        candidates_.push_back(edge);
      }
    }
    if (candidates_.empty()) throw_unreachable(from, to);
    std::size_t chosen = 0;
    if (candidates_.size() > 1) {
      route.only = false;
      chosen = scatter_bits(pair_key(from, to) + (depth + 1) * 0x9e3779b97f4a7c15ULL) %
               candidates_.size();
    }
    route.links.push_back(candidates_[chosen].link);
    here = candidates_[chosen].peer;
  }
}

void Router::append_by_dimension(DeviceId from, DeviceId to, Route& route) const {
  const std::vector<int>& extents = topology_.torus_extents();
  int stride = 1;
  for (const int extent : extents) stride *= extent;
  if (std::max(from, to) >= stride) throw_unreachable(from, to);
  DeviceId here = from;
  for (const int extent : extents) {
    stride /= extent;
    const int goal = to / stride % extent;
    int position = here / stride % extent;
    const int ahead = (goal - position + extent) % extent;
    // Exactly half way round both ways are as long: even positions go up, odd ones go down.
    const bool up = 2 * ahead < extent || (2 * ahead == extent && position % 2 == 0);
    if (2 * ahead == extent && extent > 2) route.only = false;
    while (position != goal) {
      const int next = (position + (up ? 1 : extent - 1)) % extent;
      const DeviceId peer = here + (next - position) * stride;
      const auto edges = topology_.out_edges(here);
      const auto edge = std::ranges::find(edges, peer, &Edge::peer);
      if (edge == edges.end()) throw_unreachable(from, to);
      route.links.push_back(edge->link);
      if (std::ranges::count(edges, peer, &Edge::peer) > 1) route.only = false;
      here = peer;
      position = next;
    }
  }
}

DeviceId Router::rail_relay(DeviceId from, DeviceId to) const {
  if (topology_.routing() != RoutingPolicy::rail) return -1;
  const Device& source = topology_.device(from);
  const int rail = rail_of_[at(to)];
  if (rail < 0 || rail_of_[at(from)] < 0 || rail == rail_of_[at(from)]) return -1;
  if (source.node == topology_.device(to).node) return -1;
  const auto& local = gpus_of_node_[at(source.node)];
  if (at(rail) >= local.size()) return -1;
  // Worth it only where NVLink joins the two, directly or over one switch.
  const auto is_nvlink = [&](Edge edge) {
    return topology_.link(edge.link).kind == LinkKind::nvlink;
  };
  const DeviceId relay = local[at(rail)];
  for (const Edge edge : topology_.out_edges(from)) {
    if (!is_nvlink(edge)) continue;
    if (edge.peer == relay) return relay;
    for (const Edge last : topology_.in_edges(relay)) {
      if (is_nvlink(last) && last.peer == edge.peer && topology_.forwards(edge.peer)) return relay;
    }
  }
  return -1;
}

const Router::HopTable& Router::hops_towards(DeviceId to) {
  // Where the search starts: the target itself if it forwards, else the forwarders before it.
  std::vector<DeviceId> seeds;
  std::uint32_t distance = 0;
  if (forwarder_[at(to)] >= 0) {
    seeds.push_back(to);
  } else {
    distance = 1;
    for (const Edge edge : topology_.in_edges(to)) {
      if (forwarder_[at(edge.peer)] >= 0) seeds.push_back(edge.peer);
    }
    std::ranges::sort(seeds);
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  }
  std::vector<DeviceId> key = seeds;
  key.push_back(static_cast<DeviceId>(distance));
  if (const auto known = tables_.find(key); known != tables_.end()) return known->second;
  if (tables_.size() * forwarder_out_.size() > kMostTableEntries) tables_.clear();

  HopTable hops(forwarder_out_.size(), kFar);
  std::vector<int> queue;
  for (const DeviceId seed : seeds) {
    hops[at(forwarder_[at(seed)])] = distance;
    queue.push_back(forwarder_[at(seed)]);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int here = queue[head];
    for (const int before : forwarder_in_[at(here)]) {
      if (hops[at(before)] != kFar) continue;
      hops[at(before)] = hops[at(here)] + 1;
      queue.push_back(before);
    }
  }
  return tables_.emplace(std::move(key), std::move(hops)).first->second;
}

void Router::measure(DeviceId from, Route& route) const {
  DeviceId here = from;
  for (std::size_t i = 0; i < route.links.size(); ++i) {
    const Link& link = topology_.link(route.links[i]);
    if (i > 0) route.latency_s += topology_.device(here).latency_s;
    route.latency_s += link.latency_s;
    route.bandwidth_bytes_per_s = std::min(route.bandwidth_bytes_per_s, link.bandwidth_bytes_per_s);
    route.kind = std::max(route.kind, link.kind);
    here = link.from == here ? link.to : link.from;
  }
}

void Router::throw_unreachable(DeviceId from, DeviceId to) const {
  throw usage_error(
      "no route from \"{}\" to \"{}\" in topology \"{}\"; join them by links "
      "(reducelab topology check lists what is cut off)",
      topology_.device(from).name, topology_.device(to).name, topology_.name());
}

}  // namespace reducelab
