#include "topologies/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "core/units.h"
#include "topologies/limits.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

class Checker {
 public:
  explicit Checker(const Topology& topology) : topology_(topology) {}

  std::vector<TopologyFinding> run() {
    check_endpoints();
    check_values();
    check_duplex();
    check_isolated();
    check_rails();
    return std::move(findings_);
  }

 private:
  const std::string& name(DeviceId id) const { return topology_.device(id).name; }

  void add(Severity severity, std::string message, std::string what_to_do) {
    findings_.push_back({severity, std::move(message), std::move(what_to_do)});
  }

  void check_endpoints() {
    const auto endpoints = topology_.endpoints();
    if (endpoints.empty()) {
      add(Severity::error, "there is no place for a rank",
          "add a device of kind \"gpu\" or \"host\"");
      return;
    }
    if (all_meet(endpoints)) return;
    search_each(endpoints);
  }

  /// The slow way, for what `all_meet` cannot prove. Endpoints with the same way out are one
  /// search.
  void search_each(const std::vector<DeviceId>& endpoints) {
    std::map<std::vector<DeviceId>, std::vector<DeviceId>> by_way_out;
    for (const DeviceId id : endpoints) {
      std::set<DeviceId> peers;
      for (const Edge edge : topology_.out_edges(id)) peers.insert(edge.peer);
      by_way_out[{peers.begin(), peers.end()}].push_back(id);
    }
    constexpr std::size_t kMostSearches = 2048;
    std::size_t searches = 0;
    long long cut_off = 0;
    std::pair<DeviceId, DeviceId> example{-1, -1};
    for (const auto& [peers, sources] : by_way_out) {
      if (++searches > kMostSearches) break;
      const std::vector<bool> reached = reach(sources.front(), true);
      for (const DeviceId to : endpoints) {
        if (reached[at(to)]) continue;
        const auto others = static_cast<long long>(
            sources.size() - (std::ranges::find(sources, to) != sources.end() ? 1 : 0));
        if (others == 0) continue;
        if (cut_off == 0) example = {sources.front() == to ? sources.back() : sources.front(), to};
        cut_off += others;
      }
    }
    if (cut_off > 0) {
      add(Severity::error,
          fmt::format("\"{}\" cannot reach \"{}\"{}", name(example.first), name(example.second),
                      cut_off > 1 ? fmt::format(" (and {} more pairs are cut off)", cut_off - 1)
                                  : std::string()),
          "join them by links; routes pass through NICs and switches only, unless hosts_forward "
          "is set");
    }
    if (searches > kMostSearches) {
      add(Severity::warning,
          fmt::format("reachability was examined from {} of {} kinds of places", kMostSearches,
                      by_way_out.size()),
          "check a smaller topology of the same shape");
    }
  }

  /// True if some forwarding device next to the first endpoint can be reached from every endpoint
  /// and can reach every endpoint: then each pair has a way through it.
  bool all_meet(const std::vector<DeviceId>& endpoints) const {
    std::vector<DeviceId> meeting_points{endpoints.front()};
    for (const Edge edge : topology_.out_edges(endpoints.front())) {
      if (meeting_points.size() < 16) meeting_points.push_back(edge.peer);
    }
    return std::ranges::any_of(meeting_points, [&](DeviceId point) {
      if (!topology_.forwards(point)) return false;
      const auto reached = reach(point, true);
      const auto reaching = reach(point, false);
      return std::ranges::all_of(endpoints, [&](DeviceId id) {
        return id == point || (reached[at(id)] && reaching[at(id)]);
      });
    });
  }

  /// The devices that `start` reaches (`forward`), or those that reach it; `start` itself only if
  /// there is a way back to it.
  std::vector<bool> reach(DeviceId start, bool forward) const {
    std::vector<bool> seen(topology_.devices().size());
    std::vector<DeviceId> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const DeviceId here = queue[head];
      if (head > 0 && !topology_.forwards(here)) continue;
      for (const Edge edge : forward ? topology_.out_edges(here) : topology_.in_edges(here)) {
        if (seen[at(edge.peer)]) continue;
        seen[at(edge.peer)] = true;
        queue.push_back(edge.peer);
      }
    }
    return seen;
  }

  void check_values() {
    std::map<LinkKind, std::vector<double>> bandwidths;
    for (const Link& link : topology_.links()) {
      const double bandwidth = link.bandwidth_bytes_per_s;
      if (!(bandwidth > 0) || bandwidth > kMostBandwidthBytesPerS) {
        add(Severity::error,
            fmt::format("link \"{}\" has a bandwidth of {} bytes/s", link.name, bandwidth),
            "give it one above zero and at most 1000Tbps");
        continue;
      }
      bandwidths[link.kind].push_back(bandwidth);
      if (!(link.latency_s >= 0) || link.latency_s > kMostLatencyS) {
        add(Severity::error,
            fmt::format("link \"{}\" has a latency of {} s", link.name, link.latency_s),
            "give it one from 0 to 10s");
      }
    }
    for (auto& [kind, values] : bandwidths) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      for (const Link& link : topology_.links()) {
        if (link.kind != kind || !(link.bandwidth_bytes_per_s > 0) ||
            link.bandwidth_bytes_per_s * 100 > *middle) {
          continue;
        }
        add(Severity::warning,
            fmt::format("link \"{}\" has {}, others of its kind about {}", link.name,
                        format_bandwidth(link.bandwidth_bytes_per_s), format_bandwidth(*middle)),
            "if that is not meant, look at the unit (Gbps is bits, GBps is bytes)");
      }
    }
  }

  void check_duplex() {
    std::map<std::pair<DeviceId, DeviceId>, double> capacity;
    for (const Link& link : topology_.links()) {
      if (!link.shared) capacity[{link.from, link.to}] += link.bandwidth_bytes_per_s;
    }
    for (const auto& [ends, there] : capacity) {
      const auto& [from, to] = ends;
      const auto back = capacity.find({to, from});
      if (back == capacity.end()) {
        add(Severity::warning,
            fmt::format("there is a link from \"{}\" to \"{}\" but none back", name(from),
                        name(to)),
            "use between = [...] for a cable that works both ways");
      } else if (from < to && std::abs(there - back->second) > 1e-9 * there) {
        add(Severity::warning,
            fmt::format("\"{}\" to \"{}\" has {}, the other way has {}", name(from), name(to),
                        format_bandwidth(there), format_bandwidth(back->second)),
            "give both directions the same bandwidth unless the cable really differs");
      }
    }
  }

  void check_isolated() {
    for (DeviceId id = 0; id < static_cast<DeviceId>(topology_.devices().size()); ++id) {
      if (!topology_.out_edges(id).empty() || !topology_.in_edges(id).empty()) continue;
      // One endpoint alone is a topology of one rank.
      if (topology_.devices().size() == 1) continue;
      add(Severity::warning, fmt::format("\"{}\" has no link", name(id)),
          "join it to something or leave it out");
    }
  }

  /// What one chassis has to the network: its NICs with the leaf and the bandwidth of each.
  struct Rails {
    int gpus = 0;
    std::vector<DeviceId> nics, leaves;
    std::vector<double> bandwidths;
    double bandwidth = 0;
  };

  void check_rails() {
    std::map<int, Rails> rails_of;
    for (DeviceId id = 0; id < static_cast<DeviceId>(topology_.devices().size()); ++id) {
      const Device& device = topology_.device(id);
      if (device.node < 0) continue;
      if (device.kind == DeviceKind::gpu) ++rails_of[device.node].gpus;
      if (device.kind != DeviceKind::nic) continue;
      for (const Edge edge : topology_.out_edges(id)) {
        const Link& link = topology_.link(edge.link);
        if (link.kind != LinkKind::network) continue;
        Rails& rails = rails_of[device.node];
        rails.nics.push_back(id);
        rails.leaves.push_back(edge.peer);
        rails.bandwidths.push_back(link.bandwidth_bytes_per_s);
        rails.bandwidth += link.bandwidth_bytes_per_s;
      }
    }
    std::erase_if(rails_of, [](const auto& entry) { return entry.second.gpus == 0; });
    check_rails_between_nodes(rails_of);
    for (const auto& [node, rails] : rails_of) check_rails_within(node, rails);
  }

  void check_rails_between_nodes(const std::map<int, Rails>& rails_of) {
    // The bandwidth that most nodes have, and the order of leaves that most nodes with the same
    // leaves have, are taken for what is meant.
    std::map<double, int> nodes_with;
    std::map<std::vector<DeviceId>, std::map<std::vector<DeviceId>, int>> orders;
    const auto sorted = [](std::vector<DeviceId> leaves) {
      std::ranges::sort(leaves);
      return leaves;
    };
    for (const auto& [node, rails] : rails_of) {
      ++nodes_with[rails.bandwidth];
      ++orders[sorted(rails.leaves)][rails.leaves];
    }
    if (nodes_with.empty()) return;
    const auto second = [](const auto& entry) { return entry.second; };
    const double usual = std::ranges::max_element(nodes_with, {}, second)->first;
    for (const auto& [node, rails] : rails_of) {
      if (rails.bandwidth != usual) {
        add(Severity::warning,
            fmt::format("node {} has {} to the network, other nodes have {}", node,
                        format_bandwidth(rails.bandwidth), format_bandwidth(usual)),
            "the slowest node sets the pace of a collective: is that meant?");
      }
      const auto& order = std::ranges::max_element(orders[sorted(rails.leaves)], {}, second)->first;
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (rails.leaves[i] == order[i]) continue;
        add(Severity::warning,
            fmt::format("\"{}\" is on \"{}\" where other nodes are on \"{}\"", name(rails.nics[i]),
                        name(rails.leaves[i]), name(order[i])),
            "put NICs of one rail on one leaf, or traffic of a rail crosses the spine");
      }
    }
  }

  void check_rails_within(int node, const Rails& rails) {
    std::map<DeviceId, int> nics_on;
    for (const DeviceId leaf : rails.leaves) ++nics_on[leaf];
    if (nics_on.empty()) return;
    const auto second = [](const auto& entry) { return entry.second; };
    const auto [fewest, most] = std::ranges::minmax_element(nics_on, {}, second);
    if (fewest->second != most->second) {
      add(Severity::warning,
          fmt::format("node {} has {} NICs on \"{}\" but {} on \"{}\"", node, most->second,
                      name(most->first), fewest->second, name(fewest->first)),
          "spread the NICs evenly over the leaves");
    }
    const auto [slow, fast] = std::ranges::minmax_element(rails.bandwidths);
    if (*slow != *fast) {
      const auto nic = rails.nics[static_cast<std::size_t>(slow - rails.bandwidths.begin())];
      add(Severity::warning,
          fmt::format("\"{}\" has {}, another NIC of its node has {}", name(nic),
                      format_bandwidth(*slow), format_bandwidth(*fast)),
          "the slowest rail sets the pace of a collective: is that meant?");
    }
  }

  const Topology& topology_;
  std::vector<TopologyFinding> findings_;
};

}  // namespace

std::vector<TopologyFinding> check_topology(const Topology& topology) {
  return Checker(topology).run();
}

}  // namespace reducelab
