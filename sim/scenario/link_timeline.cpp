#include "sim/scenario/link_timeline.h"

#include <algorithm>

namespace reducelab {

void LinkTimelines::add(const Topology& topology, std::span<const LinkId> links,
                        const PulseTrain& when, const LinkEffect& effect) {
  for (const LinkId link : links) {
    const double bandwidth = topology.link(link).bandwidth_bytes_per_s;
    auto& rules = rules_of_link_.try_emplace(link, RulesOfLink{bandwidth, {}}).first->second.rules;
    if (rules.empty()) links_.push_back(link);
    // A link that is named twice by one rule is changed once.
    if (rules.empty() || rules.back() != rules_.size()) rules.push_back(rules_.size());
  }
  std::ranges::sort(links_);
  rules_.push_back({when, effect, {links.begin(), links.end()}});
}

LinkState LinkTimelines::at(LinkId link, double t) const {
  const RulesOfLink& found = rules_of_link_.at(link);
  LinkState state;
  double factor = 1;
  std::optional<double> replaced;
  for (const std::size_t index : found.rules) {
    const auto& [when, effect, links] = rules_[index];
    if (!when.active_at(t)) continue;
    factor *= effect.bandwidth_factor;
    state.extra_latency_s += effect.extra_latency_s;
    if (effect.bandwidth_bytes_per_s) {
      replaced = std::min(*effect.bandwidth_bytes_per_s, replaced.value_or(kForever));
    }
    if (effect.down) state.up = false;
  }
  state.bandwidth_bytes_per_s = replaced.value_or(found.bandwidth_bytes_per_s) * factor;
  return state;
}

double LinkTimelines::next_change_after(double t) const {
  double next = kForever;
  for (const Rule& rule : rules_) next = std::min(next, rule.when.next_edge_after(t));
  return next;
}

std::vector<LinkId> LinkTimelines::links_changing_at(double t) const {
  std::vector<LinkId> found;
  for (const Rule& rule : rules_) {
    if (rule.when.has_edge_at(t)) found.insert(found.end(), rule.links.begin(), rule.links.end());
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

}  // namespace reducelab
