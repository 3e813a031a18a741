#include "sim/analytic/closed_form.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/transport/rate_cap.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

/// What the first links of all paths that leave a node can carry together, for multi-channel
/// algorithms that spread over the node's ports.
double node_egress_bytes_per_s(const Job& job, Router& router) {
  double narrowest = std::numeric_limits<double>::infinity();
  const auto& nodes = job.world.nodes;
  if (nodes.size() < 2) return narrowest;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto& other = nodes[(n + 1) % nodes.size()];
    std::set<LinkId> ports;
    double total = 0;
    for (std::size_t i = 0; i < nodes[n].size(); ++i) {
      const Route& route =
          router.route(job.placement[static_cast<std::size_t>(nodes[n][i])],
                       job.placement[static_cast<std::size_t>(other[i % other.size()])]);
      for (const LinkId id : route.links) {
        const Link& link = job.topology.link(id);
        if (link.kind != LinkKind::network) continue;
        if (ports.insert(id).second) total += link.bandwidth_bytes_per_s;
        break;
      }
    }
    if (total > 0) narrowest = std::min(narrowest, total);
  }
  return narrowest;
}

bool nearly_equal(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(a, b);
}

}  // namespace

MachineModel machine_model(const Job& job, const Protocol& protocol) {
  MachineModel model;
  model.cost.gamma_s_per_byte = job.profile.gamma_s_per_byte();
  const int ranks = job.world.ranks;
  if (ranks < 2) {
    model.uniform = true;
    return model;
  }
  Router router(job.topology);
  model.uniform = job.profile.reduction_launch_s == 0 && job.profile.send_overhead_s == 0 &&
                  job.profile.receive_overhead_s == 0 && job.profile.handshake_latencies == 0 &&
                  job.profile.eager_bytes < 0 &&
                  protocol.rank_cap_bytes_per_s == Protocol::unbounded() &&
                  job.scenario.empty();
  LinkKind slowest = LinkKind::nvlink;
  double alpha_sum_s = 0;
  double narrowest = std::numeric_limits<double>::infinity();
  double across_nodes = std::numeric_limits<double>::infinity();
  std::set<LinkId> first_links;
  const int participants = static_cast<int>(job.placement.size());
  double first_alpha_s = -1;
  double first_rate = -1;
  for (int rank = 0; rank < participants; ++rank) {
    const DeviceId from = job.placement[static_cast<std::size_t>(rank)];
    const DeviceId to = job.placement[static_cast<std::size_t>((rank + 1) % participants)];
    const Route& route = router.route(from, to);
    const auto kind = static_cast<std::size_t>(route.kind);
    slowest = std::max(slowest, route.kind);
    const double alpha_s =
        message_latency_s(job.profile, protocol, route) * (1 + job.profile.handshake_latencies) +
        job.profile.send_overhead_s + job.profile.receive_overhead_s;
    const double rate = route.bandwidth_bytes_per_s * protocol.efficiency[kind];
    alpha_sum_s += alpha_s;
    if (job.topology.device(from).node == job.topology.device(to).node &&
        job.topology.device(from).node >= 0) {
      narrowest = std::min(narrowest, rate);
    } else {
      across_nodes = std::min(across_nodes, rate);
    }
    if (first_alpha_s < 0) {
      first_alpha_s = alpha_s;
      first_rate = rate;
    }
    model.uniform = model.uniform && route.links.size() == 2 &&
                    nearly_equal(alpha_s, first_alpha_s) && nearly_equal(rate, first_rate) &&
                    !job.topology.link(route.links.front()).shared &&
                    first_links.insert(route.links.front()).second;
  }
  const Params& params = job.world.params;
  if (params.has("channels") && params.integer("channels") > 1) {
    const double egress = node_egress_bytes_per_s(job, router) *
                          protocol.efficiency[static_cast<std::size_t>(LinkKind::network)];
    if (std::isfinite(egress)) across_nodes = std::max(across_nodes, egress);
  }
  const auto kind = static_cast<std::size_t>(slowest);
  const RateCap cap = rate_cap(job, protocol, slowest);
  narrowest =
      std::min({narrowest, across_nodes, cap.whole_rank_bytes_per_s * protocol.efficiency[kind]});
  model.cost.alpha_s = alpha_sum_s / participants;
  model.cost.beta_s_per_byte = 1 / narrowest;
  return model;
}

std::optional<ClosedForm> closed_form(const Job& job) {
  if (!job.algorithm->cost) return std::nullopt;
  const MachineModel machine = machine_model(job, job.protocol);
  std::optional<ClosedForm> form = job.algorithm->cost(job.world, machine.cost);
  if (!form) return form;
  form->time_s += job.protocol.floor_s;
  form->exact = form->exact && machine.uniform;
  return form;
}

double estimate_time_s(const Job& job, const Protocol& protocol) {
  const CostModel cost = machine_model(job, protocol).cost;
  if (job.algorithm->cost) {
    if (const auto form = job.algorithm->cost(job.world, cost)) {
      return protocol.floor_s + form->time_s;
    }
  }
  const double n = job.world.ranks;
  const auto bytes = static_cast<double>(job.world.count * job.world.element_bytes);
  return protocol.floor_s + 2 * (n - 1) * cost.alpha_s +
         2 * (n - 1) / n * bytes * cost.beta_s_per_byte;
}

}  // namespace reducelab
