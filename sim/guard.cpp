#include "sim/guard.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/units.h"

namespace reducelab {
namespace {

constexpr double kSlack = 1e-6;  // relative; rounding of the engines, not physics

/// What all links into or out of a device can carry.
double port_rate(const Job& job, std::span<const Edge> edges) {
  double total = 0;
  for (const Edge& edge : edges) {
    // A scenario may have given it more than the topology did.
    if (job.scenario.links.changes(edge.link)) return std::numeric_limits<double>::infinity();
    total += job.topology.link(edge.link).bandwidth_bytes_per_s;
  }
  return total;
}

void require_floor(const RunResult& result, double took_s, double floor_s,
                   const std::string& what) {
  if (took_s >= floor_s * (1 - kSlack)) return;
  throw run_error("impossible result refused: {} in {}, but {} takes at least {}",
                  format_bytes(result.spec.bytes), format_duration(took_s), what,
                  format_duration(floor_s));
}

}  // namespace

double allreduce_floor_s(const Job& job) {
  const int ranks = job.world.ranks;
  if (ranks < 2) return 0;
  // Every rank must at least hand over its vector once and get the result once, and together they
  // cannot do with less than 2(n-1)/n of the bytes each; a single rank may do less (a leaf of a
  // tree), so only the weaker bound holds for each port: one vector out, one in.
  const auto bytes = static_cast<double>(job.world.count * job.world.element_bytes);
  double floor_s = 0;
  std::vector<int> sharing(job.topology.devices().size(), 0);
  for (const DeviceId device : job.placement) ++sharing[static_cast<std::size_t>(device)];
  for (int rank = 0; rank < ranks; ++rank) {
    const DeviceId device = job.placement[static_cast<std::size_t>(rank)];
    if (sharing[static_cast<std::size_t>(device)] > 1) continue;  // may talk without a wire
    const double out = port_rate(job, job.topology.out_edges(device));
    const double in = port_rate(job, job.topology.in_edges(device));
    floor_s = std::max(floor_s, bytes / std::min(out, in));
  }
  return floor_s;
}

void require_possible(const Job& job, const Execution& execution, const TimedFabric& fabric,
                      double took_s, const RunResult& result) {
  execution.require_complete();
  const auto& sent = execution.bytes_sent();
  const auto& received = execution.bytes_received();
  const std::int64_t all_sent = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
  const std::int64_t all_received =
      std::accumulate(received.begin(), received.end(), std::int64_t{0});
  if (all_sent != all_received) {
    throw run_error("impossible result refused: {} bytes were sent but {} received", all_sent,
                    all_received);
  }
  require_floor(result, took_s, allreduce_floor_s(job),
                "every rank's vector through its own ports");
  if (result.steps > 0) {
    require_floor(result, took_s, result.steps * fabric.least_latency_s() + job.protocol.floor_s,
                  fmt::format("a chain of {} messages", result.steps));
  }
  const std::vector<double>& link_bytes = fabric.link_bytes();
  for (std::size_t i = 0; i < link_bytes.size(); ++i) {
    if (job.scenario.links.changes(static_cast<LinkId>(i))) continue;
    const Link& link = job.topology.link(static_cast<LinkId>(i));
    require_floor(result, took_s, link_bytes[i] / link.bandwidth_bytes_per_s,
                  fmt::format("the traffic of link {}", link.name));
  }
}

}  // namespace reducelab
