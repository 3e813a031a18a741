#include "sim/scenario/link_selector.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "sim/scenario/rank_set.h"
#include "topologies/glob.h"

namespace reducelab {
namespace {

constexpr std::string_view kHowTo =
    "a link is written as its name, a glob such as leaf0->*, two devices a->b, or \"rank 3\"";

/// As `unknown_name`, without the list of all names: there may be thousands.
Error unknown(std::string_view kind, std::string_view name,
              const std::vector<std::string_view>& names) {
  std::string message = fmt::format("unknown {} \"{}\"", kind, name);
  if (const auto near = nearest_name(name, names); !near.empty()) {
    message += fmt::format("; did you mean \"{}\"?", near);
  }
  return {ErrorCode::usage, std::move(message)};
}

std::vector<LinkId> links_between(const Topology& topology, DeviceId from, DeviceId to) {
  std::vector<LinkId> found;
  for (const Edge& edge : topology.out_edges(from)) {
    if (edge.peer == to) found.push_back(edge.link);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<LinkId> links_at(const Topology& topology, DeviceId device) {
  std::vector<LinkId> found;
  for (const Edge& edge : topology.out_edges(device)) found.push_back(edge.link);
  for (const Edge& edge : topology.in_edges(device)) found.push_back(edge.link);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

DeviceId find_named_device(const Topology& topology, std::string_view name) {
  if (const auto device = topology.find_device(name)) return *device;
  std::vector<std::string_view> names;
  for (const Device& device : topology.devices()) names.push_back(device.name);
  throw unknown("device", name, names);
}

std::vector<LinkId> select_links(std::string_view selector, const Topology& topology,
                                 std::span<const DeviceId> placement, int ranks) {
  const auto links = topology.links();
  const auto exact = std::ranges::find(links, selector, &Link::name);
  if (exact != links.end()) return {static_cast<LinkId>(exact - links.begin())};

  if (selector.find_first_of("*?") != std::string_view::npos) {
    std::vector<LinkId> found;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (matches_glob(selector, links[i].name)) found.push_back(static_cast<LinkId>(i));
    }
    if (found.empty()) {
      throw usage_error("no link matches \"{}\" (reducelab topology show lists them)", selector);
    }
    return found;
  }

  if (selector.starts_with("rank ")) {
    const RankSet set = parse_rank_set(selector.substr(5));
    std::vector<LinkId> found;
    for (const int rank : ranks_of(set, ranks)) {
      const auto more = links_at(topology, placement[static_cast<std::size_t>(rank)]);
      found.insert(found.end(), more.begin(), more.end());
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
  }

  if (const auto arrow = selector.find("->"); arrow != std::string_view::npos) {
    const auto from = topology.find_device(trim(selector.substr(0, arrow)));
    const auto to = topology.find_device(trim(selector.substr(arrow + 2)));
    if (from && to) {
      auto found = links_between(topology, *from, *to);
      if (!found.empty()) return found;
    }
  }
  std::vector<std::string_view> names;
  for (const Link& link : links) names.push_back(link.name);
  throw unknown("link", selector, names).note(std::string(kHowTo));
}

}  // namespace reducelab
