#pragma once

#include <cstdint>

namespace reducelab {

/// A group of relabellings of the ranks 0..n-1 that takes every rank to every other one in exactly
/// one way. Programs that it leaves unchanged do the same on every rank, to other peers.
enum class Relabelling : std::uint8_t {
  none,
  shift,        ///< rank i -> i + k mod n
  exclusive_or  ///< rank i -> i xor k; n is a power of two
};

/// What member `k` of the group, the one that takes rank 0 to rank k, makes of `rank`.
constexpr int relabelled(Relabelling group, int k, int rank, int ranks) {
  if (group == Relabelling::shift) {
    return rank < ranks - k ? rank + k : rank - (ranks - k);
  }
  return group == Relabelling::exclusive_or ? rank ^ k : rank;
}

/// The rank that `to` becomes where `from` becomes rank 0: pairs of ranks with the same difference
/// are relabellings of each other.
constexpr int difference(Relabelling group, int from, int to, int ranks) {
  if (group == Relabelling::shift) return to >= from ? to - from : to + (ranks - from);
  return group == Relabelling::exclusive_or ? from ^ to : to;
}

}  // namespace reducelab
