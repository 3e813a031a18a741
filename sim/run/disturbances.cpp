#include "sim/run/disturbances.h"

#include <cmath>
#include <limits>

namespace reducelab {
namespace {

constexpr int kKindShift = 48;
constexpr std::uint64_t kKindMask = 0xff;

}  // namespace

Disturbances::Disturbances(const Job& job, Network& network, std::uint64_t token_tag,
                           Listener& listener)
    : job_(job),
      scenario_(job.scenario),
      network_(network),
      token_tag_(token_tag),
      listener_(listener),
      sources_(job.scenario.traffic),
      next_flow_(job.scenario.traffic.size(), 0) {
  if (sources_.empty()) return;
  router_.emplace(job.topology);
  link_bytes_.resize(job.topology.links().size(), 0);
}

void Disturbances::begin() {
  for (const LinkId link : scenario_.links.links()) apply(link);
  plan_change(0);
  for (std::uint32_t i = 0; i < scenario_.failures.size(); ++i) {
    plan(scenario_.failures[i].at_s, Kind::failure, i);
  }
  for (std::uint32_t i = 0; i < sources_.size(); ++i) plan_traffic(i);
}

void Disturbances::plan(double time_s, Kind kind, std::uint32_t index) {
  network_.at(time_s, token_tag_ | static_cast<std::uint64_t>(kind) << kKindShift | index);
}

void Disturbances::plan_change(double after_s) {
  const double next_s = scenario_.links.next_change_after(after_s);
  if (std::isfinite(next_s)) plan(next_s, Kind::change);
}

void Disturbances::plan_traffic(std::uint32_t source) {
  if (const auto flow = sources_[source].flow(next_flow_[source])) {
    plan(flow->start_s, Kind::traffic, source);
  }
}

/// Gives a link the state that it should have now.
void Disturbances::apply(LinkId link) {
  LinkState state{job_.topology.link(link).bandwidth_bytes_per_s, 0, true};
  if (scenario_.links.changes(link)) state = scenario_.links.at(link, network_.now());
  if (state.up) {
    down_since_s_.erase(link);
  } else if (down_since_s_.try_emplace(link, network_.now()).second) {
    plan(network_.now() + scenario_.failure_policy.timeout_s, Kind::link_timeout,
         static_cast<std::uint32_t>(link));
  }
  network_.set_link(link, state.bandwidth_bytes_per_s, state.up && !dead_.contains(link));
}

void Disturbances::repair(const std::vector<LinkId>& links) {
  for (const LinkId link : links) {
    dead_.erase(link);
    apply(link);
  }
}

void Disturbances::start_traffic(std::uint32_t source) {
  const auto flow = sources_[source].flow(next_flow_[source]++);
  const Route& route = router_->route(flow->from, flow->to);
  const auto [path, is_new] = paths_.try_emplace({flow->from, flow->to}, PathId{});
  if (is_new) {
    path->second =
        network_.open_path(flow->from, flow->to, route, std::numeric_limits<double>::infinity());
  }
  const auto bytes = static_cast<double>(flow->bytes);
  network_.start_flow(path->second, bytes, token_tag_ | ++flows_started_);
  for (const LinkId link : route.links) link_bytes_[static_cast<std::size_t>(link)] += bytes;
  plan_traffic(source);
}

void Disturbances::timer_fired(std::uint64_t token) {
  if (stopped_) return;
  const auto index = static_cast<std::uint32_t>(token);
  switch (static_cast<Kind>((token >> kKindShift) & kKindMask)) {
    case Kind::change:
      for (const LinkId link : scenario_.links.links_changing_at(network_.now())) apply(link);
      return plan_change(network_.now());
    case Kind::traffic:
      return start_traffic(index);
    case Kind::failure: {
      const ResolvedFailure& failure = scenario_.failures[index];
      dead_.insert(failure.links.begin(), failure.links.end());
      for (const LinkId link : failure.links) apply(link);
      return plan(network_.now() + scenario_.failure_policy.timeout_s, Kind::detection, index);
    }
    case Kind::detection:
      return listener_.failure_detected(scenario_.failures[index]);
    case Kind::link_timeout: {
      const auto down = down_since_s_.find(static_cast<LinkId>(index));
      const double timeout_s = scenario_.failure_policy.timeout_s;
      // It may have come up and gone down again; then a later timer is on its way.
      if (down != down_since_s_.end() && network_.now() >= down->second + timeout_s) {
        listener_.links_given_up();
      }
    }
  }
}

}  // namespace reducelab
