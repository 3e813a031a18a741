#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/double_tree_shape.h"
#include "algorithms/allreduce/node_layout.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

struct TreePlace {
  int parent = -1;
  std::vector<int> children;
};

TreePlace place_among_ranks(const Rank& self, bool first) {
  const TreeLinks links =
      first ? first_tree(self.size(), self.id()) : second_tree(self.size(), self.id());
  TreePlace place{links.parent, {}};
  for (const int child : links.children) {
    if (child >= 0) place.children.push_back(child);
  }
  return place;
}

// NCCL's tree is over nodes; the ranks of a node form a chain whose head is the node's member of
// the tree (pattern TREE). Chains are rotated by channel, so that channels use different NICs.
TreePlace place_in_tree(const Rank& self, int channel, bool first) {
  if (self.world().nodes.empty()) return place_among_ranks(self, first);
  const std::vector<std::vector<int>> nodes = nodes_of(self);
  const auto in_chain = [&](int node, std::size_t index) {
    const std::vector<int>& members = nodes[static_cast<std::size_t>(node)];
    return members[(index + static_cast<std::size_t>(channel)) % members.size()];
  };
  int node = 0;
  std::size_t index = 0;
  while (in_chain(node, index) != self.id()) {
    if (++index < nodes[static_cast<std::size_t>(node)].size()) continue;
    index = 0;
    ++node;
  }

  TreePlace place;
  if (index + 1 < nodes[static_cast<std::size_t>(node)].size()) {
    place.children.push_back(in_chain(node, index + 1));
  }
  if (index > 0) {
    place.parent = in_chain(node, index - 1);
    return place;
  }
  const auto count = static_cast<int>(nodes.size());
  const TreeLinks links = first ? first_tree(count, node) : second_tree(count, node);
  if (links.parent >= 0) place.parent = in_chain(links.parent, 0);
  for (const int child : links.children) {
    if (child >= 0) place.children.push_back(in_chain(child, 0));
  }
  return place;
}

Program tree_up(Rank self, TreePlace at, std::int64_t slice_size) {
  for (const Range slice : Slices(self.vector(), slice_size)) {
    for (const int child : at.children) co_yield recv_reduce(child, slice);
    co_yield send(at.parent, slice);
  }
}

Program tree_down(Rank self, TreePlace at, std::int64_t slice_size) {
  for (const Range slice : Slices(self.vector(), slice_size)) {
    co_yield recv(at.parent, slice);
    for (const int child : at.children) co_yield send(child, slice);
  }
}

// The root turns every slice around as soon as it is reduced.
Program tree_root(Rank self, TreePlace at, std::int64_t slice_size) {
  for (const Range slice : Slices(self.vector(), slice_size)) {
    for (const int child : at.children) co_yield recv_reduce(child, slice);
    for (const int child : at.children) co_yield send(child, slice);
  }
}

}  // namespace

// A channel works on one of the two trees, as in NCCL, so there are at least two of them; together
// the channels of a tree carry half of the vector. Up and down are strands of their
// own, so that slices on the way down do not wait for those on the way up; messages alone order
// them, since a slice comes down only after this rank has sent it up.
Program double_tree(Rank self) {
  const auto channels = static_cast<int>(self.params().integer("channels"));
  const int trees = std::max(2, channels + channels % 2);
  const std::int64_t slice = slice_elements(self.world());
  const Blocks part = self.blocks(trees);
  for (int tree = 0; tree < trees; ++tree) {
    const TreePlace at = place_in_tree(self, tree / 2, tree % 2 == 0);
    const Rank view = self.on_part(part[tree]).on_channel(tree);
    if (at.parent < 0) {
      co_yield spawn(tree_root(view, at, slice));
    } else {
      co_yield spawn(tree_up(view, at, slice));
      co_yield spawn(tree_down(view, at, slice));
    }
  }
  co_yield join();
}

// Sanders, Speck, Träff 2009: a reduction and then a broadcast, each with the best number k of
// slices per half. An upper estimate: here the two overlap, and k follows from `slice_bytes`.
std::optional<ClosedForm> double_tree_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  if (t.alpha <= 0) return ClosedForm{2 * t.n_beta, false};
  const int height = ceil_log2(t.p);
  const double k = std::max(1.0, std::sqrt(height * t.n_beta / (2 * t.alpha)));
  return ClosedForm{2 * (2 * height + 2 * k) * (t.alpha + t.n_beta / (2 * k)), false};
}

}  // namespace reducelab::allreduce
