#include "sim/flow/sharing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reducelab {

Sharing::Sharing(std::span<const Link> links) {
  links_.resize(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    links_[i].bytes_per_s = links[i].bandwidth_bytes_per_s;
  }
}

PathId Sharing::open_path(std::span<const LinkId> links, double cap_bytes_per_s) {
  const auto hops = static_cast<std::uint32_t>(links.size());
  paths_.push_back({static_cast<std::uint32_t>(path_links_.size()), hops, cap_bytes_per_s});
  for (const LinkId link : links) path_links_.push_back(static_cast<std::uint32_t>(link));
  if (free_hops_.size() <= hops) free_hops_.resize(hops + 1);
  return static_cast<PathId>(paths_.size() - 1);
}

void Sharing::set_bandwidth(LinkId id, double bytes_per_s) {
  const auto number = static_cast<std::uint32_t>(id);
  SharedLink& link = links_[number];
  if (link.bytes_per_s == bytes_per_s) return;
  link.bytes_per_s = bytes_per_s;
  if (link.flows > 0) make_dirty(number);
}

FlowId Sharing::start(PathId path_id) {
  const Path& path = paths_[path_id];
  const FlowId id = flows_.take();
  Flow& flow = flows_[id];
  flow.path = path_id;
  std::vector<std::uint32_t>& free = free_hops_[path.hops];
  if (free.empty()) {
    flow.first_hop = static_cast<std::uint32_t>(hops_.size());
    hops_.resize(hops_.size() + path.hops);
  } else {
    flow.first_hop = free.back();
    free.pop_back();
  }
  bool alone = true;
  double rate = path.cap_bytes_per_s;
  for (std::uint32_t i = 0; i < path.hops; ++i) {
    const std::uint32_t number = path_links_[path.first + i];
    const std::uint32_t hop = flow.first_hop + i;
    SharedLink& link = links_[number];
    hops_[hop] = {id, number, kNone, link.first_hop};
    if (link.first_hop != kNone) hops_[link.first_hop].previous = hop;
    link.first_hop = hop;
    ++link.flows;
    rate = std::min(rate, link.bytes_per_s);
    if (link.flows > 1) {
      alone = false;
      make_dirty(number);
    }
  }
  started_.push_back({id, alone, rate});
  return id;
}

void Sharing::end(FlowId id) {
  const Flow& flow = flows_[id];
  // Without a rate, it may have started just now (and been cancelled) and still wait for one.
  if (flow.rate_bytes_per_s == 0) {
    std::erase_if(started_, [id](const Started& started) { return started.flow == id; });
  }
  const Path& path = paths_[flow.path];
  for (std::uint32_t i = 0; i < path.hops; ++i) {
    const Hop& hop = hops_[flow.first_hop + i];
    SharedLink& link = links_[hop.link];
    (hop.previous == kNone ? link.first_hop : hops_[hop.previous].next) = hop.next;
    if (hop.next != kNone) hops_[hop.next].previous = hop.previous;
    if (--link.flows > 0) make_dirty(hop.link);
  }
  free_hops_[path.hops].push_back(flow.first_hop);
  flows_.give_back(id);
}

void Sharing::make_dirty(std::uint32_t link) {
  dirty_links_.push_back(link);
}

/// Collects all links and flows that hang together with a dirty link.
void Sharing::gather() {
  part_flows_.clear();
  left_.clear();
  const auto add = [this](std::uint32_t number) {
    SharedLink& link = links_[number];
    if (link.mark == solution_ || link.flows == 0) return;
    link.mark = solution_;
    link.part_index = static_cast<std::uint32_t>(left_.size());
    left_.push_back({link.bytes_per_s, link.flows, number});
  };
  for (const std::uint32_t number : dirty_links_) add(number);
  dirty_links_.clear();
  part_of_flow_.resize(flows_.size());
  for (std::size_t next = 0; next < left_.size(); ++next) {
    for (std::uint32_t hop = links_[left_[next].link].first_hop; hop != kNone;
         hop = hops_[hop].next) {
      const FlowId id = hops_[hop].flow;
      Flow& flow = flows_[id];
      if (flow.mark == solution_) continue;
      flow.mark = solution_;
      part_of_flow_[id] = static_cast<std::uint32_t>(part_flows_.size());
      part_flows_.push_back(id);
      const Path& path = paths_[flow.path];
      for (std::uint32_t i = 0; i < path.hops; ++i) add(path_links_[path.first + i]);
    }
  }
}

/// Gives a flow of the part its rate and takes that off its links.
void Sharing::fix(std::size_t index, double rate) {
  part_rates_[index] = rate;
  const Path& path = paths_[flows_[part_flows_[index]].path];
  for (std::uint32_t i = 0; i < path.hops; ++i) {
    Left& left = left_[links_[path_links_[path.first + i]].part_index];
    left.bytes_per_s -= rate;
    --left.flows;
  }
}

void Sharing::solve() {
  ++solution_;
  gather();
  part_rates_.assign(part_flows_.size(), -1);
  by_cap_.clear();
  for (std::size_t i = 0; i < part_flows_.size(); ++i) {
    if (std::isfinite(paths_[flows_[part_flows_[i]].path].cap_bytes_per_s)) {
      by_cap_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  const auto cap_of = [this](std::uint32_t i) {
    return paths_[flows_[part_flows_[i]].path].cap_bytes_per_s;
  };
  std::sort(by_cap_.begin(), by_cap_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return cap_of(a) != cap_of(b) ? cap_of(a) < cap_of(b) : a < b;
  });
  const auto later = [](const Candidate& a, const Candidate& b) {
    return a.share != b.share ? a.share > b.share : a.index > b.index;
  };
  heap_.clear();
  for (std::size_t i = 0; i < left_.size(); ++i) {
    heap_.push_back({left_[i].share(), static_cast<std::uint32_t>(i)});
  }
  std::make_heap(heap_.begin(), heap_.end(), later);

  // Shares only grow while rates are handed out, so an out-of-date entry comes up too early, never
  // too late. Rates that rounding alone tells apart are made equal, so that flows that started
  // together and are alike end together.
  constexpr double kRounding = 1e-13;
  double level = 0;
  const auto settled_level = [&](double rate) {
    if (rate > level * (1 + kRounding)) level = rate;
    return level;
  };
  std::size_t next_cap = 0;
  while (!heap_.empty()) {
    const Candidate top = heap_.front();
    const Left& left = left_[top.index];
    std::pop_heap(heap_.begin(), heap_.end(), later);
    if (left.flows == 0) {
      heap_.pop_back();
      continue;
    }
    const double share = left.share();
    if (share > top.share * (1 + kRounding)) {
      heap_.back() = {share, top.index};
      std::push_heap(heap_.begin(), heap_.end(), later);
      continue;
    }
    while (next_cap < by_cap_.size() && part_rates_[by_cap_[next_cap]] >= 0) ++next_cap;
    if (next_cap < by_cap_.size() && cap_of(by_cap_[next_cap]) <= share) {
      const double cap = cap_of(by_cap_[next_cap]);
      fix(by_cap_[next_cap], cap);
      level = std::max(level, cap);
      std::push_heap(heap_.begin(), heap_.end(), later);
      continue;
    }
    heap_.pop_back();
    const double rate = settled_level(share);
    for (std::uint32_t hop = links_[left.link].first_hop; hop != kNone; hop = hops_[hop].next) {
      const std::uint32_t index = part_of_flow_[hops_[hop].flow];
      if (part_rates_[index] < 0) fix(index, rate);
    }
  }
}

}  // namespace reducelab
