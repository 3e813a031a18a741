#include "topologies/symmetry.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace reducelab {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

auto nature_of(const Link& link) {
  return std::tuple(link.kind, link.shared, link.bandwidth_bytes_per_s, link.latency_s);
}

bool alike(const Device& a, const Device& b) {
  return a.kind == b.kind && a.latency_s == b.latency_s;
}

}  // namespace

TopologySymmetry::TopologySymmetry(const Topology& topology, std::span<const DeviceId> placement)
    : topology_(topology), placement_(placement.begin(), placement.end()) {
  const std::size_t links = topology.links().size();
  by_ends_.resize(links);
  std::iota(by_ends_.begin(), by_ends_.end(), 0);
  std::ranges::sort(by_ends_, {}, [&](LinkId id) {
    const Link& link = topology.link(id);
    return std::tuple(ends_of(link), nature_of(link), id);
  });
  classes_.resize(links);
  std::iota(classes_.begin(), classes_.end(), 0);
  class_sizes_.assign(links, 1);
}

TopologySymmetry::Ends TopologySymmetry::ends_of(const Link& link) const {
  if (link.shared && link.from > link.to) return {link.to, link.from};
  return {link.from, link.to};
}

/// From the ranks' devices outwards: what hangs on a device moves to what hangs alike on its image,
/// in the order in which both were built, and stays where it is if it can. A guess, to be checked.
bool TopologySymmetry::extend_to_all_devices(std::span<const int> image) {
  const auto devices = topology_.devices();
  moved_.assign(devices.size(), -1);
  std::vector<bool> taken(devices.size(), false);
  std::vector<DeviceId> queue;
  queue.reserve(devices.size());
  const auto move = [&](DeviceId from, DeviceId to) {
    moved_[at(from)] = to;
    taken[at(to)] = true;
    queue.push_back(from);
  };
  for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
    const DeviceId to = placement_[at(image[rank])];
    if (taken[at(to)]) return false;
    move(placement_[rank], to);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const auto edges = topology_.out_edges(queue[next]);
    const auto image_edges = topology_.out_edges(moved_[at(queue[next])]);
    if (edges.size() != image_edges.size()) return false;
    std::size_t candidate = 0;
    for (const Edge edge : edges) {
      if (moved_[at(edge.peer)] >= 0) continue;
      const auto fits = [&](Edge other) {
        return !taken[at(other.peer)] && alike(devices[at(edge.peer)], devices[at(other.peer)]) &&
               nature_of(topology_.link(edge.link)) == nature_of(topology_.link(other.link));
      };
      while (candidate < image_edges.size() && !fits(image_edges[candidate])) ++candidate;
      if (candidate == image_edges.size()) return false;
      move(edge.peer, image_edges[candidate].peer);
    }
  }
  // What no rank can reach stays where it is.
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto id = static_cast<DeviceId>(i);
    if (moved_[i] >= 0) continue;
    if (taken[i]) return false;
    move(id, id);
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!alike(devices[i], devices[at(moved_[i])])) return false;
  }
  return true;
}

/// Every group of equal links between two devices must land on a group of as many links like them.
bool TopologySymmetry::map_links() {
  moved_links_.assign(by_ends_.size(), -1);
  const auto ends_at = [&](std::size_t place) { return ends_of(topology_.link(by_ends_[place])); };
  const auto nature_at = [&](std::size_t place) {
    return nature_of(topology_.link(by_ends_[place]));
  };
  const auto same_group = [&](std::size_t a, std::size_t b) {
    return ends_at(a) == ends_at(b) && nature_at(a) == nature_at(b);
  };
  std::vector<bool> taken(by_ends_.size(), false);
  for (std::size_t first = 0, end = 0; first < by_ends_.size(); first = end) {
    const Link& link = topology_.link(by_ends_[first]);
    end = first + 1;
    while (end < by_ends_.size() && same_group(end, first)) ++end;
    Ends goal{moved_[at(link.from)], moved_[at(link.to)]};
    if (link.shared && goal.from > goal.to) std::swap(goal.from, goal.to);
    const auto found =
        std::ranges::lower_bound(by_ends_, std::pair(goal, nature_of(link)), {}, [&](LinkId id) {
          return std::pair(ends_of(topology_.link(id)), nature_of(topology_.link(id)));
        });
    for (auto place = static_cast<std::size_t>(found - by_ends_.begin()); first < end;
         ++first, ++place) {
      if (place == by_ends_.size() || taken[place] || ends_at(place) != goal ||
          nature_at(place) != nature_of(link)) {
        return false;
      }
      taken[place] = true;
      moved_links_[at(by_ends_[first])] = by_ends_[place];
    }
  }
  return true;
}

/// Dimension order goes by coordinates: each must move by itself, by a turn or a reflection.
bool TopologySymmetry::keeps_dimensions() const {
  const std::vector<int>& extents = topology_.torus_extents();
  int stride = 1;
  for (const int extent : extents) stride *= extent;
  if (moved_.size() != at(stride)) return false;
  for (const int extent : extents) {
    stride /= extent;
    const auto coordinate = [&](std::size_t device) {
      return static_cast<int>(device) / stride % extent;
    };
    const auto image = [&](std::size_t device) { return coordinate(at(moved_[device])); };
    const int turn = image(0);
    const int step = extent < 2 ? 0 : (image(at(stride)) - turn + extent) % extent;
    if (extent > 1 && step != 1 && step != extent - 1) return false;
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      const std::int64_t goal = turn + static_cast<std::int64_t>(step) * coordinate(i);
      if (image(i) != goal % extent) return false;
    }
  }
  return true;
}

/// Rails go by the number of a GPU in its node: nodes must move as a whole, and the GPUs of one
/// rail together.
bool TopologySymmetry::keeps_rails() const {
  const auto devices = topology_.devices();
  std::unordered_map<int, int> size_of_node;
  std::vector<int> rail_of(devices.size(), -1);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].kind == DeviceKind::gpu) rail_of[i] = size_of_node[devices[i].node]++;
  }
  const auto first = size_of_node.begin();
  std::unordered_map<int, int> node_to;
  std::unordered_map<int, int> rail_to;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (rail_of[i] < 0) continue;
    const int node = devices[i].node;
    const int to_node = devices[at(moved_[i])].node;
    if (node < 0 || to_node < 0 || size_of_node.at(node) != first->second) return false;
    if (node_to.try_emplace(node, to_node).first->second != to_node) return false;
    const int to_rail = rail_of[at(moved_[i])];
    if (rail_to.try_emplace(rail_of[i], to_rail).first->second != to_rail) return false;
  }
  return true;
}

bool TopologySymmetry::allows(std::span<const int> image) {
  if (!extend_to_all_devices(image)) return false;
  if (topology_.routing() == RoutingPolicy::dimension_order && !keeps_dimensions()) return false;
  if (topology_.routing() == RoutingPolicy::rail && !keeps_rails()) return false;
  if (!map_links()) return false;
  for (std::size_t i = 0; i < moved_links_.size(); ++i) {
    const LinkId a = class_of(static_cast<LinkId>(i));
    const LinkId b = class_of(moved_links_[i]);
    if (a == b) continue;
    const auto [kept, joined] = std::minmax(a, b);
    classes_[at(joined)] = kept;
    class_sizes_[at(kept)] += class_sizes_[at(joined)];
  }
  return true;
}

LinkId TopologySymmetry::class_of(LinkId link) {
  while (classes_[at(link)] != link) {
    classes_[at(link)] = classes_[at(classes_[at(link)])];
    link = classes_[at(link)];
  }
  return link;
}

}  // namespace reducelab
