#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

Program direct_reduce_scatter(Rank self) {
  const Blocks block = self.blocks(self.size());
  for (int i = 1; i < self.size(); ++i) {
    const int to = (self.id() + i) % self.size();
    const int from = (self.id() - i + self.size()) % self.size();
    co_yield send(to, block[to]);
    co_yield recv_reduce(from, block[self.id()]);
  }
}

Program direct_all_gather(Rank self) {
  const Blocks block = self.blocks(self.size());
  for (int i = 1; i < self.size(); ++i) {
    const int to = (self.id() + i) % self.size();
    const int from = (self.id() - i + self.size()) % self.size();
    co_yield send(to, block[self.id()]);
    co_yield recv(from, block[from]);
  }
}

Program two_shot(Rank self) {
  co_yield run(direct_reduce_scatter(self));
  co_yield run(direct_all_gather(self));
}

Relabelling two_shot_symmetry(const World& world) {
  return world.count % world.ranks == 0 ? Relabelling::shift : Relabelling::none;
}

std::optional<ClosedForm> two_shot_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const double share = (t.p - 1.0) / t.p;
  return ClosedForm{2 * t.alpha + share * (2 * t.n_beta + t.n_gamma), world.count % t.p == 0};
}

}  // namespace reducelab::allreduce
