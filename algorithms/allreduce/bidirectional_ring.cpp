#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

Program one_way(Rank self, RingPlace at, std::int64_t slice) {
  co_yield run(ring_reduce_scatter(self, at, slice));
  co_yield run(ring_all_gather(self, at, slice));
}

}  // namespace

// The first half of the vector goes clockwise, the second the other way round. The second has a
// channel of its own because with two ranks both ways use the same connections.
Program bidirectional_ring(Rank self) {
  const std::int64_t slice = slice_elements(self.world());
  const Blocks half = self.blocks(2);
  const RingPlace clockwise = ring_in_rank_order(self);
  const RingPlace backward{(self.size() - self.id()) % self.size(), self.prev(), self.next()};
  co_yield spawn(one_way(self.on_part(half[0]).on_channel(0), clockwise, slice));
  co_yield spawn(one_way(self.on_part(half[1]).on_channel(1), backward, slice));
  co_yield join();
}

Relabelling bidirectional_ring_symmetry(const World& world) {
  const std::int64_t blocks = 2 * static_cast<std::int64_t>(world.ranks);
  return world.count % blocks == 0 ? Relabelling::shift : Relabelling::none;
}

// One port carries both ways, so nothing is gained there. Exact only without reduction cost: else
// the two ways take turns at the reducer and drift apart.
std::optional<ClosedForm> bidirectional_ring_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const std::int64_t slice = slice_elements(world);
  const std::int64_t blocks = 2 * static_cast<std::int64_t>(t.p);
  const bool whole = slice == 0 || slice * blocks >= world.count;
  return ClosedForm{(t.p - 1) * (2 * t.alpha + (2 * t.n_beta + t.n_gamma) / t.p),
                    whole && world.count % blocks == 0 && model.gamma_s_per_byte == 0};
}

}  // namespace reducelab::allreduce
