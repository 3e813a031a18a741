#pragma once

#include <cstdint>

#include "algorithms/program.h"

/// Collectives that all-reduce programs are composed of, to be used with `run`.
namespace reducelab::allreduce {

/// Reduces the vectors of all ranks into that of `root`, along a binomial tree.
Program binomial_reduce(Rank self, int root);
/// Sends the vector of `root` to all ranks, along a binomial tree.
Program binomial_broadcast(Rank self, int root);

/// Every rank sends each block straight to its owner; rank r ends with block r reduced.
Program direct_reduce_scatter(Rank self);
/// Every rank sends its block r straight to all others.
Program direct_all_gather(Rank self);

/// Where a rank sits in a ring: its position 0..size-1 and the ranks after and before it.
struct RingPlace {
  int position = 0;
  int next = 0;
  int prev = 0;
};
/// The ring in rank order.
inline RingPlace ring_in_rank_order(const Rank& self) {
  return {self.id(), self.next(), self.prev()};
}
/// Position i of the ring ends with block i reduced. Blocks travel in slices of at most
/// `slice_elements` (0: whole blocks).
Program ring_reduce_scatter(Rank self, RingPlace at, std::int64_t slice_elements);
/// Position i of the ring starts with block i; all end with all blocks.
Program ring_all_gather(Rank self, RingPlace at, std::int64_t slice_elements);

/// The parameter `slice_bytes` in elements, at least one unless it is 0 ("not sliced").
std::int64_t slice_elements(const World& world);

}  // namespace reducelab::allreduce
