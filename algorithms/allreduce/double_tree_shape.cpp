#include "algorithms/allreduce/double_tree_shape.h"

#include <bit>

namespace reducelab::allreduce {
namespace {

// The links of a renumbered node, numbered back.
template <class Renumber>
TreeLinks renumbered(TreeLinks links, Renumber renumber) {
  for (int* node : {&links.parent, &links.children[0], &links.children[1]}) {
    if (*node >= 0) *node = renumber(*node);
  }
  return links;
}

}  // namespace

// Line for line ncclGetBtree: a node's height is its lowest set bit.
TreeLinks first_tree(int nodes, int node) {
  if (nodes == 1) return {};
  if (node == 0) {
    return {-1, {-1, static_cast<int>(std::bit_ceil(static_cast<unsigned>(nodes))) / 2}};
  }
  const int bit = node & -node;
  int up = (node ^ bit) | (bit << 1);
  if (up >= nodes) up = node ^ bit;
  int low = bit >> 1;
  const int left = low == 0 ? -1 : node - low;
  int right = low == 0 ? -1 : node + low;
  while (right >= nodes) {
    right = low == 0 ? -1 : node + low;
    low >>= 1;
  }
  return {up, {left, right}};
}

// ncclGetDtree: mirrored for an even number of nodes, shifted by one for an odd number (where a
// mirrored tree would give some nodes four children).
TreeLinks second_tree(int nodes, int node) {
  if (nodes % 2 == 0) {
    return renumbered(first_tree(nodes, nodes - 1 - node), [&](int i) { return nodes - 1 - i; });
  }
  return renumbered(first_tree(nodes, (node - 1 + nodes) % nodes),
                    [&](int i) { return (i + 1) % nodes; });
}

}  // namespace reducelab::allreduce
