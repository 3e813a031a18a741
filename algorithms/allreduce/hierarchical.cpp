#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/node_layout.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

// Who does what with whom; the groups hold participants of the job.
struct HierarchyPlace {
  bool equal_nodes = true;
  int node = 0;
  int local = 0;
  Group mates;    // the ranks of my node
  Group peers;    // the ranks with my local number on every node
  Group leaders;  // the first rank of every node
};

HierarchyPlace place_in_hierarchy(const Rank& self) {
  const std::vector<std::vector<int>> nodes = nodes_of(self);
  HierarchyPlace place;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto me = std::find(nodes[node].begin(), nodes[node].end(), self.id());
    if (nodes[node].size() != nodes[0].size()) place.equal_nodes = false;
    if (me == nodes[node].end()) continue;
    place.node = static_cast<int>(node);
    place.local = static_cast<int>(me - nodes[node].begin());
  }
  std::vector<int> mates;
  for (const int mate : nodes[static_cast<std::size_t>(place.node)]) {
    mates.push_back(self.participant(mate));
  }
  std::vector<int> peers;
  std::vector<int> leaders;
  for (const std::vector<int>& node : nodes) {
    leaders.push_back(self.participant(node.front()));
    if (place.equal_nodes) {
      peers.push_back(self.participant(node[static_cast<std::size_t>(place.local)]));
    }
  }
  place.mates = make_group(std::move(mates));
  place.peers = make_group(std::move(peers));
  place.leaders = make_group(std::move(leaders));
  return place;
}

// Reduce-scatter inside the node, an all-reduce of each block between the nodes, all-gather inside.
Program by_blocks(Rank self, HierarchyPlace at, Program (*inner)(Rank)) {
  const Rank mate = self.within(at.mates, at.local, self.vector());
  const Rank peer = self.within(at.peers, at.node, mate.blocks(mate.size())[at.local]);
  const bool direct = self.params().text("intra") == "direct";
  const RingPlace in_ring = ring_in_rank_order(mate);
  Program scatter = direct ? direct_reduce_scatter(mate) : ring_reduce_scatter(mate, in_ring, 0);
  Program gather = direct ? direct_all_gather(mate) : ring_all_gather(mate, in_ring, 0);
  co_yield run(std::move(scatter));
  co_yield run(inner(peer));
  co_yield run(std::move(gather));
}

// Nodes of different sizes have no common blocks: each node's first rank stands for all of it
// (MPICH's `smp`), at the price of the whole vector over one NIC.
Program by_leaders(Rank self, HierarchyPlace at, Program (*inner)(Rank)) {
  const Rank mate = self.within(at.mates, at.local, self.vector());
  co_yield run(binomial_reduce(mate, 0));
  const Rank leader = self.within(at.leaders, at.node, self.vector());
  if (at.local == 0) co_yield run(inner(leader));
  co_yield run(binomial_broadcast(mate, 0));
}

bool equal_nodes(const World& world) {
  return std::all_of(world.nodes.begin(), world.nodes.end(),
                     [&](const auto& node) { return node.size() == world.nodes.front().size(); });
}

std::size_t largest_node(const World& world) {
  std::size_t largest = 1;
  for (const auto& node : world.nodes) largest = std::max(largest, node.size());
  return largest;
}

// What the inner all-reduce sees of the world.
World inner_world(const World& world) {
  World inner = world;
  inner.nodes.clear();
  if (world.nodes.empty()) return inner;
  inner.ranks = static_cast<int>(world.nodes.size());
  if (!equal_nodes(world)) return inner;
  const auto blocks = static_cast<std::int64_t>(largest_node(world));
  inner.count = (world.count + blocks - 1) / blocks;
  return inner;
}

const Algorithm& inner_algorithm(const World& world) {
  return find_algorithm(world.params.text("inner"));
}

}  // namespace

Program hierarchical(Rank self) {
  const HierarchyPlace at = place_in_hierarchy(self);
  const auto inner = inner_algorithm(self.world()).rank_program;
  Program whole = at.equal_nodes ? by_blocks(self, at, inner) : by_leaders(self, at, inner);
  co_yield run(std::move(whole));
}

// Where every rank is a node of its own only the inner all-reduce is left of it, and where all are
// one node only what goes on inside.
Relabelling hierarchical_symmetry(const World& world) {
  if (!in_rank_order(world)) return Relabelling::none;
  if (world.nodes.size() == 1) {
    return world.count % world.ranks == 0 ? Relabelling::shift : Relabelling::none;
  }
  if (largest_node(world) > 1) return Relabelling::none;
  const Algorithm& inner = inner_algorithm(world);
  return inner.symmetry ? inner.symmetry(world) : Relabelling::none;
}

std::string hierarchical_refusal(const World& world) {
  const Algorithm& inner = inner_algorithm(world);
  if (!inner.refusal) return "";
  const std::string reason = inner.refusal(inner_world(world));
  return reason.empty() ? "" : "between the nodes: " + reason;
}

std::optional<ClosedForm> hierarchical_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const World between = inner_world(world);
  const std::optional<ClosedForm> inner = inner_algorithm(world).cost(between, model);
  if (!inner) return inner;
  const CostTerms t(world, model);
  const auto g = static_cast<int>(largest_node(world));
  if (!equal_nodes(world)) {
    const double inside = ceil_log2(g) * (2 * (t.alpha + t.n_beta) + t.n_gamma);
    return ClosedForm{inside + inner->time_s, false};
  }
  const int rounds = world.params.text("intra") == "direct" ? std::min(1, g - 1) : g - 1;
  const double inside = 2 * rounds * t.alpha + (g - 1.0) / g * (2 * t.n_beta + t.n_gamma);
  return ClosedForm{inside + inner->time_s, inner->exact && world.count % g == 0};
}

}  // namespace reducelab::allreduce
