#include <algorithm>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

// Into how many segments of at most `segment_bytes` the largest block is cut.
int segments_of(const World& world, int ranks, std::int64_t count) {
  const std::int64_t bytes = world.params.bytes("segment_bytes");
  const std::int64_t block = (count + ranks - 1) / ranks;
  const std::int64_t most = std::max<std::int64_t>(1, bytes / world.element_bytes);
  return static_cast<int>(std::max<std::int64_t>(1, (block + most - 1) / most));
}

}  // namespace

// Open MPI's all-reduce 5: one reduce-scatter around the ring for the first segment of every block,
// one for the second, and so on, each ended before the next begins; then one all-gather.
Program segmented_ring(Rank self) {
  const int p = self.size();
  const int segments = segments_of(self.world(), p, self.vector().count);
  const Blocks block = self.blocks(p);
  for (int segment = 0; segment < segments; ++segment) {
    for (int step = 0; step < p - 1; ++step) {
      const Blocks out(block[self.id() - 1 - step], segments);
      const Blocks in(block[self.id() - 2 - step], segments);
      co_yield send(self.next(), out[segment]);
      co_yield recv_reduce(self.prev(), in[segment]);
    }
    co_yield fence();
  }
  co_yield run(ring_all_gather(self, ring_in_rank_order(self), 0));
}

Relabelling segmented_ring_symmetry(const World& world) {
  return world.count % world.ranks == 0 ? Relabelling::shift : Relabelling::none;
}

std::optional<ClosedForm> segmented_ring_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const int segments = segments_of(world, world.ranks, world.count);
  return ClosedForm{(t.p - 1) * ((segments + 1) * t.alpha + (2 * t.n_beta + t.n_gamma) / t.p),
                    world.count % (static_cast<std::int64_t>(t.p) * segments) == 0};
}

}  // namespace reducelab::allreduce
