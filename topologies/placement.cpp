#include "topologies/placement.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {
namespace {

/// Devices grouped by chassis, in order of first appearance; each with node -1 is a group.
std::vector<std::vector<int>> group_by_node(const Topology& topology,
                                            std::span<const DeviceId> devices) {
  std::vector<std::vector<int>> groups;
  std::map<int, std::size_t> group_of;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const int node = topology.device(devices[i]).node;
    std::size_t group = groups.size();
    if (node >= 0) group = group_of.try_emplace(node, groups.size()).first->second;
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(static_cast<int>(i));
  }
  return groups;
}

/// Endpoint indices taken one from each node in turn.
std::vector<int> cyclic_order(const Topology& topology, std::span<const DeviceId> endpoints) {
  const auto groups = group_by_node(topology, endpoints);
  std::size_t longest = 0;
  for (const auto& group : groups) longest = std::max(longest, group.size());
  std::vector<int> order;
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (const auto& group : groups) {
      if (turn < group.size()) order.push_back(group[turn]);
    }
  }
  return order;
}

std::vector<int> listed_order(std::string_view placement, std::size_t places) {
  std::vector<int> order;
  std::vector<int> rank_at(places, -1);
  for (const std::string_view part : split(placement, ',')) {
    const std::string_view word = trim(part);
    int index = -1;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (code == std::errc::invalid_argument || end != word.data() + word.size()) {
      throw usage_error("placement \"{}\": \"{}\" is not the index of a place", placement, word);
    }
    if (code != std::errc{} || index < 0 || static_cast<std::size_t>(index) >= places) {
      throw usage_error(
          "placement \"{}\": place {} does not exist; the topology has places 0 to {}", placement,
          word, places - 1);
    }
    int& holder = rank_at[static_cast<std::size_t>(index)];
    if (holder >= 0) {
      throw usage_error("placement \"{}\": place {} is given to rank {} and again to rank {}",
                        placement, index, holder, order.size());
    }
    holder = static_cast<int>(order.size());
    order.push_back(index);
  }
  return order;
}

}  // namespace

PlacementKind parse_placement_kind(std::string_view placement) {
  if (placement == "block") return PlacementKind::block;
  if (placement == "cyclic") return PlacementKind::cyclic;
  if (!placement.empty() && placement.find_first_not_of("0123456789, -") == placement.npos) {
    return PlacementKind::explicit_;
  }
  throw unknown_name("placement", placement, {"block", "cyclic"})
      .note("or a list of places such as 0,8,1,9");
}

std::vector<DeviceId> place_ranks(const Topology& topology, int ranks, std::string_view placement,
                                  int extra_participants) {
  const PlacementKind kind = parse_placement_kind(placement);
  if (ranks < 1) throw usage_error("at least 1 rank is needed, not {}", ranks);
  if (extra_participants < 0) {
    throw usage_error("the number of extra participants must not be negative: {}",
                      extra_participants);
  }
  const std::vector<DeviceId> endpoints = topology.endpoints();
  const auto wanted =
      static_cast<std::size_t>(ranks) + static_cast<std::size_t>(extra_participants);
  if (wanted > endpoints.size()) {
    const std::string split_up =
        extra_participants > 0
            ? fmt::format(" ({} ranks and {} extra participants)", ranks, extra_participants)
            : std::string();
    throw usage_error(
        "topology \"{}\" has {} places, {} are needed{}; use fewer ranks or a larger topology",
        topology.name(), endpoints.size(), wanted, split_up);
  }
  std::vector<int> order;
  if (kind == PlacementKind::block) {
    order.resize(endpoints.size());
    std::iota(order.begin(), order.end(), 0);
  } else if (kind == PlacementKind::cyclic) {
    order = cyclic_order(topology, endpoints);
  } else {
    order = listed_order(placement, endpoints.size());
    if (order.size() != static_cast<std::size_t>(ranks) && order.size() != wanted) {
      throw usage_error("placement \"{}\" lists {} places, {} ranks need one each", placement,
                        order.size(), ranks);
    }
    std::vector<bool> used(endpoints.size());
    for (const int index : order) used[static_cast<std::size_t>(index)] = true;
    for (std::size_t i = 0; i < endpoints.size() && order.size() < wanted; ++i) {
      if (!used[i]) order.push_back(static_cast<int>(i));
    }
  }
  std::vector<DeviceId> devices(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    devices[i] = endpoints[static_cast<std::size_t>(order[i])];
  }
  return devices;
}

std::vector<std::vector<int>> ranks_by_node(const Topology& topology,
                                            const std::vector<DeviceId>& placement, int ranks) {
  if (ranks < 0 || static_cast<std::size_t>(ranks) > placement.size()) {
    throw Error(ErrorCode::bug,
                fmt::format("{} ranks, but {} are placed", ranks, placement.size()));
  }
  return group_by_node(topology, std::span(placement).first(static_cast<std::size_t>(ranks)));
}

}  // namespace reducelab
