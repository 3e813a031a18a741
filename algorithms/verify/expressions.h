#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "algorithms/verify/execution_log.h"

namespace reducelab {

/// Sums of the ranks' contributions as expression trees, each different one stored once. Trees that
/// differ only in the order of the two operands of a + are the same tree, since both give the same
/// bits.
class Expressions {
 public:
  using Id = std::uint32_t;
  static constexpr Id kZero = 0;           ///< the identity of the operation
  static constexpr Id kUninitialised = 1;  ///< never written
  static constexpr Id kBroken = 2;         ///< came of something that is reported already

  explicit Expressions(int ranks);

  Id contribution(int rank) const { return kFirstLeaf + static_cast<Id>(rank); }
  /// a + b, made by the operation `op`.
  Id plus(Id a, Id b, LogIndex op);
  /// What is left when `op` adds elements to elements of other places.
  Id mixed(LogIndex op);

  /// Every rank's contribution exactly once.
  bool complete(Id id) const { return nodes_[id].complete; }
  /// Every + in it joins neighbouring intervals of ranks.
  bool in_rank_order(Id id) const { return nodes_[id].ordered; }
  bool is_broken(Id id) const { return id == kBroken; }
  bool is_mixed(Id id) const { return nodes_[id].mixed; }
  /// Whether the place of its elements matters: not for zeros and the like.
  bool has_place(Id id) const { return id > kBroken && !nodes_[id].mixed; }
  /// The operation that made it.
  LogIndex maker(Id id) const { return nodes_[id].op; }

  std::vector<int> missing(Id id) const;
  /// Ranks counted twice by the first + that counted any twice, and that operation.
  struct Duplicate {
    std::vector<int> ranks;
    LogIndex op = kNone;
  };
  Duplicate first_duplicate(Id id) const;
  /// `((0 + 1) + 2)`; "" if it has more than `most` leaves.
  std::string text(Id id, int most) const;

 private:
  static constexpr Id kFirstLeaf = 3;

  struct Node {
    Id a = kNone, b = kNone;  // operands of a +
    LogIndex op = kNone;
    int least = 0, most = -1;  // of the ranks in it
    bool duplicated = false;
    bool ordered = true;
    bool mixed = false;
    bool complete = false;
  };

  const std::uint64_t* seen(Id id) const { return &seen_[id * words_]; }
  Id add_node(const Node& node);
  std::vector<int> ranks_in(const std::vector<std::uint64_t>& bits) const;

  int ranks_;
  std::size_t words_;  // 64-bit words of a set of ranks
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> seen_;  // words_ for each node
  std::unordered_map<std::uint64_t, Id> sums_;
};

}  // namespace reducelab
