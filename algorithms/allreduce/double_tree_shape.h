#pragma once

#include <array>

namespace reducelab::allreduce {

/// A node's neighbours in a binary tree over nodes 0..N-1; -1 means none.
struct TreeLinks {
  int parent = -1;
  std::array<int, 2> children{-1, -1};
  bool operator==(const TreeLinks&) const = default;
};

/// NCCL's two trees (after Sanders, Speck, Träff 2009): depth ceil(lg N), and over both together no
/// node has more than two children, so that what is interior in one tree is a leaf in the other.
TreeLinks first_tree(int nodes, int node);
TreeLinks second_tree(int nodes, int node);

}  // namespace reducelab::allreduce
