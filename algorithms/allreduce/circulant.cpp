#include <algorithm>
#include <vector>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

// The skips p = s0 > s1 > .. > 1, each half of the one before, rounded up.
std::vector<int> circulant_skips(int p) {
  std::vector<int> skips{p};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  return skips;
}

// `count` blocks from block `first` on, counted around the end of the vector: one range or two.
struct WrappedBlocks {
  Range head;
  Range tail;
};
WrappedBlocks wrapped(const Blocks& block, int first, int count) {
  first %= block.size();
  const int in_head = std::min(count, block.size() - first);
  return {block.span(first, in_head), block.span(0, count - in_head)};
}

}  // namespace

// Träff 2024, "Optimal, non-pipelined reduce-scatter and allreduce": ceil(lg p) rounds each way and
// 2(p-1) blocks for every p. Seen from rank r, item i is the partial sum of block r + i.
Program circulant(Rank self) {
  const int p = self.size();
  const std::vector<int> skips = circulant_skips(p);
  const Blocks block = self.blocks(p);

  for (std::size_t round = 1; round < skips.size(); ++round) {
    const int skip = skips[round];
    const int items = skips[round - 1] - skip;
    const WrappedBlocks out = wrapped(block, self.id() + skip, items);
    const WrappedBlocks in = wrapped(block, self.id(), items);
    co_yield send((self.id() + skip) % p, out.head);
    co_yield send((self.id() + skip) % p, out.tail);
    co_yield recv_reduce((self.id() - skip + p) % p, in.head);
    co_yield recv_reduce((self.id() - skip + p) % p, in.tail);
    co_yield fence();
  }
  // The all-gather is the same in reverse.
  for (std::size_t round = skips.size() - 1; round > 0; --round) {
    const int skip = skips[round];
    const int items = skips[round - 1] - skip;
    const WrappedBlocks out = wrapped(block, self.id(), items);
    const WrappedBlocks in = wrapped(block, self.id() + skip, items);
    co_yield send((self.id() - skip + p) % p, out.head);
    co_yield send((self.id() - skip + p) % p, out.tail);
    co_yield recv((self.id() + skip) % p, in.head);
    co_yield recv((self.id() + skip) % p, in.tail);
    co_yield fence();
  }
}

std::optional<ClosedForm> circulant_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const double share = (t.p - 1.0) / t.p;
  return ClosedForm{2 * ceil_log2(t.p) * t.alpha + share * (2 * t.n_beta + t.n_gamma),
                    world.count % t.p == 0};
}

}  // namespace reducelab::allreduce
