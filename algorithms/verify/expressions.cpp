#include "algorithms/verify/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace reducelab {

Expressions::Expressions(int ranks)
    : ranks_(ranks), words_((static_cast<std::size_t>(ranks) + 63) / 64) {
  for (Id id = 0; id < kFirstLeaf; ++id) add_node({});
  for (int rank = 0; rank < ranks; ++rank) {
    Node leaf;
    leaf.least = leaf.most = rank;
    leaf.complete = ranks == 1;
    const Id id = add_node(leaf);
    const auto bit = static_cast<std::size_t>(rank);
    seen_[id * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

Expressions::Id Expressions::add_node(const Node& node) {
  nodes_.push_back(node);
  seen_.resize(seen_.size() + words_, 0);
  return static_cast<Id>(nodes_.size() - 1);
}

Expressions::Id Expressions::plus(Id a, Id b, LogIndex op) {
  if (is_broken(a) || is_broken(b)) return kBroken;
  if (nodes_[a].mixed || b == kZero) return a;
  if (nodes_[b].mixed || a == kZero) return b;
  if (a > b) std::swap(a, b);
  const auto [found, is_new] = sums_.try_emplace((std::uint64_t{a} << 32) | b, 0);
  if (!is_new) return found->second;

  const Node& left = nodes_[a];
  const Node& right = nodes_[b];
  Node sum;
  sum.a = a;
  sum.b = b;
  sum.op = op;
  sum.least = std::min(left.least, right.least);
  sum.most = std::max(left.most, right.most);
  sum.duplicated = left.duplicated || right.duplicated;
  sum.ordered = left.ordered && right.ordered &&
                (left.most + 1 == right.least || right.most + 1 == left.least);
  const Id id = add_node(sum);
  int ranks = 0;
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t in_a = seen(a)[word];
    const std::uint64_t in_b = seen(b)[word];
    if ((in_a & in_b) != 0) nodes_[id].duplicated = true;
    seen_[id * words_ + word] = in_a | in_b;
    ranks += std::popcount(in_a | in_b);
  }
  nodes_[id].complete = ranks == ranks_ && !nodes_[id].duplicated;
  found->second = id;
  return id;
}

Expressions::Id Expressions::mixed(LogIndex op) {
  Node node;
  node.op = op;
  node.mixed = true;
  return add_node(node);
}

std::vector<int> Expressions::ranks_in(const std::vector<std::uint64_t>& bits) const {
  std::vector<int> ranks;
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto bit = static_cast<std::size_t>(rank);
    if ((bits[bit / 64] >> (bit % 64)) & 1) ranks.push_back(rank);
  }
  return ranks;
}

std::vector<int> Expressions::missing(Id id) const {
  std::vector<std::uint64_t> bits(words_);
  for (std::size_t word = 0; word < words_; ++word) bits[word] = ~seen(id)[word];
  return ranks_in(bits);
}

Expressions::Duplicate Expressions::first_duplicate(Id id) const {
  if (!nodes_[id].duplicated) return {};
  for (;;) {
    const Node& node = nodes_[id];
    if (nodes_[node.a].duplicated) {
      id = node.a;
    } else if (nodes_[node.b].duplicated) {
      id = node.b;
    } else {
      std::vector<std::uint64_t> bits(words_);
      for (std::size_t word = 0; word < words_; ++word) {
        bits[word] = seen(node.a)[word] & seen(node.b)[word];
      }
      return {ranks_in(bits), node.op};
    }
  }
}

std::string Expressions::text(Id id, int most) const {
  const Node& node = nodes_[id];
  if (node.most - node.least >= most) return "";
  if (node.a == kNone) return fmt::format("{}", node.least);
  return fmt::format("({} + {})", text(node.a, most), text(node.b, most));
}

}  // namespace reducelab
