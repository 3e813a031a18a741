#include <algorithm>
#include <utility>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/node_layout.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

// Rings inside one node whose ranks all have links of their own to each other take other links for
// each channel, and every link equally often: the zigzags 0, 1, -1, 2, -2 ... of a circle of all
// ranks but one, closed through that one, turned on by one place after each pair of directions
// (Walecki's Hamiltonian cycles; Alspach, The wonderful Walecki construction, 2008).
std::vector<int> ring_of_mesh(std::vector<int> ranks, int channel) {
  const auto circle = static_cast<int>(ranks.size()) - 1;
  std::vector<int> order{ranks.back()};
  for (int i = 0; i < circle; ++i) {
    const int offset = i % 2 == 1 ? (i + 1) / 2 : circle - i / 2;
    order.push_back(ranks[static_cast<std::size_t>((channel / 2 + offset) % circle)]);
  }
  if (channel % 2 == 1) std::reverse(order.begin(), order.end());
  return order;
}

// The ring of `channel` visits the ranks node by node and enters each node at another rank than the
// neighbouring channels do, so that channels leave a node by different NICs, as NCCL's do.
RingPlace place_in_channel(const Rank& self, int channel) {
  if (self.world().nodes.empty()) return ring_in_rank_order(self);
  std::vector<int> order;
  std::vector<std::vector<int>> nodes = nodes_of(self);
  if (self.world().meshed && nodes.size() == 1 && nodes[0].size() > 2) {
    order = ring_of_mesh(std::move(nodes[0]), channel);
    nodes.clear();
  }
  for (std::vector<int>& node : nodes) {
    std::rotate(node.begin(), node.begin() + channel % static_cast<int>(node.size()), node.end());
    order.insert(order.end(), node.begin(), node.end());
  }
  const auto p = static_cast<int>(order.size());
  const auto position =
      static_cast<int>(std::find(order.begin(), order.end(), self.id()) - order.begin());
  const auto at = [&](int i) { return order[static_cast<std::size_t>((i + p) % p)]; };
  return {position, at(position + 1), at(position - 1)};
}

Program one_ring(Rank self, RingPlace at, std::int64_t slice) {
  co_yield run(ring_reduce_scatter(self, at, slice));
  co_yield run(ring_all_gather(self, at, slice));
}

}  // namespace

std::int64_t slice_elements(const World& world) {
  const std::int64_t bytes = world.params.bytes("slice_bytes");
  return bytes == 0 ? 0 : std::max<std::int64_t>(1, bytes / world.element_bytes);
}

// Slices out and in alternate, so that a full window of sends never keeps the receives from being
// posted, without which nobody's sends would go on. Position i starts with block i - 1 (NCCL;
// Open MPI starts with block i and ends with another block reduced than an MPI reduce-scatter).
Program ring_reduce_scatter(Rank self, RingPlace at, std::int64_t slice) {
  const Blocks block = self.blocks(self.size());
  for (int step = 0; step < self.size() - 1; ++step) {
    const Slices out(block[at.position - 1 - step], slice);
    const Slices in(block[at.position - 2 - step], slice);
    for (std::int64_t i = 0; i < std::max(out.size(), in.size()); ++i) {
      if (i < out.size()) co_yield send(at.next, out[i]);
      if (i < in.size()) co_yield recv_reduce(at.prev, in[i]);
    }
  }
}

Program ring_all_gather(Rank self, RingPlace at, std::int64_t slice) {
  const Blocks block = self.blocks(self.size());
  for (int step = 0; step < self.size() - 1; ++step) {
    const Slices out(block[at.position - step], slice);
    const Slices in(block[at.position - 1 - step], slice);
    for (std::int64_t i = 0; i < std::max(out.size(), in.size()); ++i) {
      if (i < out.size()) co_yield send(at.next, out[i]);
      if (i < in.size()) co_yield recv(at.prev, in[i]);
    }
  }
}

// Patarasuk & Yuan 2009: a reduce-scatter around the ring, then an all-gather around it.
Program ring(Rank self) {
  const auto channels = static_cast<int>(self.params().integer("channels"));
  const std::int64_t slice = slice_elements(self.world());
  if (channels == 1) {
    co_yield run(one_ring(self, place_in_channel(self, 0), slice));
    co_return;
  }
  const Blocks part = self.blocks(channels);
  for (int c = 0; c < channels; ++c) {
    const Rank view = self.on_part(part[c]).on_channel(c);
    co_yield spawn(one_ring(view, place_in_channel(self, c), slice));
  }
  co_yield join();
}

// Rings through nodes of several ranks turn off at a node's edge, and those of a mesh are no
// circles in rank order.
Relabelling ring_symmetry(const World& world) {
  if (!in_rank_order(world)) return Relabelling::none;
  const std::int64_t blocks = world.ranks * world.params.integer("channels");
  const bool apart = std::ranges::all_of(world.nodes, [](const auto& n) { return n.size() == 1; });
  const bool together = world.nodes.size() == 1 && !world.meshed;
  return (apart || together) && world.count % blocks == 0 ? Relabelling::shift : Relabelling::none;
}

// A step takes as long as its block occupies the port or the reducer, or, where that is longer, as
// its first slice needs to get through to the next step. Channels share the port and march in step,
// so that a slice of each takes as long as one of all their sizes together.
std::optional<ClosedForm> ring_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const auto channels = static_cast<double>(world.params.integer("channels"));
  const auto slices_of_all = channels * static_cast<double>(slice_elements(world));
  const double block = static_cast<double>(world.count) / t.p;
  const bool sliced = slices_of_all > 0 && slices_of_all < block;
  const double slice_share = (sliced ? slices_of_all : block) / static_cast<double>(world.count);
  const double block_beta = t.n_beta / t.p;
  const double through = t.alpha + slice_share * t.n_beta;
  const double reduce_step =
      std::max({through + slice_share * t.n_gamma, block_beta, t.n_gamma / t.p});
  const double gather_step = std::max(through, block_beta);
  return ClosedForm{(t.p - 1) * reduce_step + (t.p - 2) * gather_step + t.alpha + block_beta,
                    !sliced && channels == 1 && world.count % t.p == 0};
}

}  // namespace reducelab::allreduce
