#include "sim/guard.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/units.h"

namespace reducelab {
namespace {

constexpr double kSlack = 1e-6;  // relative; rounding of the engines, not physics
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The most that a link ever carries.
double rate_of(const Job& job, LinkId link) {
  // A scenario may give it more than the topology does.
  return job.scenario.links.changes(link) ? kInfinity
                                          : job.topology.link(link).bandwidth_bytes_per_s;
}

double rate_of(const Job& job, std::span<const Edge> edges) {
  double total = 0;
  for (const Edge& edge : edges) total += rate_of(job, edge.link);
  return total;
}

class Floors {
 public:
  Floors(const Job& job, const RunFacts& facts)
      : job_(job),
        facts_(facts),
        vector_bytes_(static_cast<double>(job.world.count * job.world.element_bytes)) {}

  /// An all-reduce takes at least the whole vector out of every rank and into it. (Together they
  /// cannot do with less than 2(n-1)/n vectors each, but a leaf of a tree can.)
  void ports() const {
    std::map<DeviceId, int> sharing;
    for (const DeviceId device : job_.placement) ++sharing[device];
    double slowest = kInfinity;
    for (int rank = 0; rank < job_.world.ranks; ++rank) {
      const DeviceId device = job_.placement[static_cast<std::size_t>(rank)];
      if (sharing[device] > 1) continue;  // may talk without a wire
      slowest = std::min({slowest, rate_of(job_, job_.topology.out_edges(device)),
                          rate_of(job_, job_.topology.in_edges(device))});
    }
    require(vector_bytes_ / slowest, "every rank's vector through its own ports");
  }

  /// The same of a node as of a rank, if there are ranks both in it and outside.
  void cuts() const {
    std::set<int> nodes;
    for (const DeviceId device : job_.placement) nodes.insert(job_.topology.device(device).node);
    if (nodes.size() < 2) return;
    std::map<int, double> out;
    std::map<int, double> in;
    const auto devices = static_cast<DeviceId>(job_.topology.devices().size());
    for (DeviceId device = 0; device < devices; ++device) {
      const int node = job_.topology.device(device).node;
      for (const Edge& edge : job_.topology.out_edges(device)) {
        const int other = job_.topology.device(edge.peer).node;
        if (node == other) continue;
        out[node] += rate_of(job_, edge.link);
        in[other] += rate_of(job_, edge.link);
      }
    }
    double slowest = kInfinity;
    for (const int node : nodes) {
      if (node >= 0) slowest = std::min({slowest, out[node], in[node]});
    }
    require(vector_bytes_ / slowest, "every node's vector through its own ports");
  }

  void chain() const {
    if (facts_.steps == 0) return;
    require(facts_.steps * facts_.least_latency_s + job_.protocol.floor_s,
            fmt::format("a chain of {} messages", facts_.steps));
  }

  void links() const {
    for (std::size_t i = 0; i < facts_.link_bytes.size(); ++i) {
      const auto link = static_cast<LinkId>(i);
      require(facts_.link_bytes[i] / rate_of(job_, link),
              fmt::format("the traffic of link {}", job_.topology.link(link).name));
    }
  }

 private:
  void require(double floor_s, const std::string& what) const {
    if (facts_.took_s >= floor_s * (1 - kSlack)) return;
    throw run_error("impossible result refused: {} in {}, but {} takes at least {}",
                    format_bytes(job_.spec.bytes), format_duration(facts_.took_s), what,
                    format_duration(floor_s));
  }

  const Job& job_;
  const RunFacts& facts_;
  double vector_bytes_;
};

}  // namespace

void require_possible(const Job& job, const RunFacts& facts) {
  const auto sum = [](std::span<const std::int64_t> bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  };
  const std::int64_t sent = sum(facts.bytes_sent);
  const std::int64_t received = sum(facts.bytes_received);
  if (sent != received) {
    throw run_error("impossible result refused: {} bytes were sent but {} received", sent,
                    received);
  }
  const Floors floors(job, facts);
  if (job.world.ranks > 1) {
    floors.ports();
    floors.cuts();
  }
  floors.chain();
  floors.links();
}

}  // namespace reducelab
