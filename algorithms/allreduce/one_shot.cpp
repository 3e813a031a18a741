#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

// Everybody sends its whole vector to everybody and folds x0 + x1 + .. + x(p-1) itself. The result
// is bit-identical only because every rank folds in that same order instead of starting with its
// own: the ranks below it are folded in scratch before its own vector is added.
Program one_shot(Rank self) {
  const Range vector = self.vector();
  for (int i = 1; i < self.size(); ++i) {
    co_yield send((self.id() + i) % self.size(), vector);
  }
  if (self.id() > 0) {
    const Range lower = self.scratch(vector.count);
    co_yield recv(0, lower);
    for (int peer = 1; peer < self.id(); ++peer) co_yield recv_reduce(peer, lower);
    co_yield reduce(vector, lower);
  }
  for (int peer = self.id() + 1; peer < self.size(); ++peer) co_yield recv_reduce(peer, vector);
}

std::optional<ClosedForm> one_shot_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  return ClosedForm{t.alpha + (t.p - 1) * (t.n_beta + t.n_gamma), true};
}

}  // namespace reducelab::allreduce
