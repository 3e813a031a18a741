#include "topologies/bisection.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace reducelab {
namespace {

constexpr std::size_t kMostLinks = 20'000;
std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Maximum flow (Dinic 1970). An arc and its reverse have indices 2k and 2k+1.
class MaximumFlow {
 public:
  explicit MaximumFlow(std::size_t vertices) : arcs_of_(vertices) {}

  void add(int from, int to, double capacity, double back_capacity = 0) {
    arcs_of_[at(from)].push_back(static_cast<int>(arcs_.size()));
    arcs_.push_back({to, capacity});
    arcs_of_[at(to)].push_back(static_cast<int>(arcs_.size()));
    arcs_.push_back({from, back_capacity});
    largest_ = std::max(largest_, std::max(capacity, back_capacity));
  }

  double run(int source, int sink) {
    double total = 0;
    while (find_levels(source, sink)) {
      next_.assign(arcs_of_.size(), 0);
      while (const double pushed = push_one_path(source, sink)) total += pushed;
    }
    return total;
  }

 private:
  struct Arc {
    int to;
    double left;
  };

  // What rounding leaves of a full arc is not capacity.
  bool open(const Arc& arc) const { return arc.left > largest_ * 1e-12; }

  bool find_levels(int source, int sink) {
    level_.assign(arcs_of_.size(), -1);
    level_[at(source)] = 0;
    std::vector<int> queue{source};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const int index : arcs_of_[at(queue[head])]) {
        const Arc& arc = arcs_[at(index)];
        if (!open(arc) || level_[at(arc.to)] >= 0) continue;
        level_[at(arc.to)] = level_[at(queue[head])] + 1;
        queue.push_back(arc.to);
      }
    }
    return level_[at(sink)] >= 0;
  }

  double push_one_path(int source, int sink) {
    std::vector<int> path;
    int here = source;
    while (here != sink) {
      auto& next = next_[at(here)];
      const auto& arcs = arcs_of_[at(here)];
      while (next < arcs.size()) {
        const Arc& arc = arcs_[at(arcs[next])];
        if (open(arc) && level_[at(arc.to)] == level_[at(here)] + 1) break;
        ++next;
      }
      if (next < arcs.size()) {
        path.push_back(arcs[next]);
        here = arcs_[at(arcs[next])].to;
      } else if (path.empty()) {
        return 0;
      } else {  // a dead end: step back and do not come here again
        here = arcs_[at(path.back() ^ 1)].to;
        path.pop_back();
        ++next_[at(here)];
      }
    }
    double pushed = std::numeric_limits<double>::infinity();
    for (const int index : path) pushed = std::min(pushed, arcs_[at(index)].left);
    for (const int index : path) {
      arcs_[at(index)].left -= pushed;
      arcs_[at(index ^ 1)].left += pushed;
    }
    return pushed;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<int>> arcs_of_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
  double largest_ = 0;
};

}  // namespace

std::optional<double> bisection_bytes_per_s(const Topology& topology) {
  const auto endpoints = topology.endpoints();
  if (endpoints.size() < 2 || topology.links().size() > kMostLinks) return std::nullopt;
  const auto devices = static_cast<int>(topology.devices().size());
  const int source = devices;
  const int sink = devices + 1;
  MaximumFlow flow(at(devices) + 2);
  // Endpoints are all sources or sinks, so it makes no difference that they do not forward.
  std::vector<bool> carries(at(devices));
  for (DeviceId id = 0; id < devices; ++id) carries[at(id)] = topology.forwards(id);
  std::vector<std::pair<int, int>> ends;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    carries[at(endpoints[i])] = true;
    const bool first_half = i < endpoints.size() / 2;
    ends.emplace_back(first_half ? source : endpoints[i], first_half ? endpoints[i] : sink);
  }
  for (const Link& link : topology.links()) {
    if (!carries[at(link.from)] || !carries[at(link.to)]) continue;
    flow.add(link.from, link.to, link.bandwidth_bytes_per_s,
             link.shared ? link.bandwidth_bytes_per_s : 0);
  }
  // The widest links set what counts as rounding, so the ends get no more than they can use.
  for (const auto& [from, to] : ends) {
    double usable = 0;
    const DeviceId endpoint = from == source ? to : from;
    for (const Edge edge :
         from == source ? topology.out_edges(endpoint) : topology.in_edges(endpoint)) {
      usable += topology.link(edge.link).bandwidth_bytes_per_s;
    }
    flow.add(from, to, usable);
  }
  return flow.run(source, sink);
}

}  // namespace reducelab
