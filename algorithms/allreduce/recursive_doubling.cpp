#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

// Thakur, Rabenseifner, Gropp 2005. With p = q + extra ranks, q a power of two, the first 2 * extra
// ranks are folded in pairs (MPICH, Open MPI): the even one hands in its vector, sits out, and gets
// the result. MPI blocks in every step, hence the fences.
Program recursive_doubling(Rank self) {
  const int q = floor_power_of_two(self.size());
  const int extra = self.size() - q;
  const bool folded = self.id() < 2 * extra;
  if (folded && self.id() % 2 == 0) {
    co_yield send(self.id() + 1, self.vector());
    co_yield recv(self.id() + 1, self.vector());
    co_return;
  }
  if (folded) {
    co_yield recv_reduce(self.id() - 1, self.vector());
    co_yield fence();
  }

  const int me = folded ? self.id() / 2 : self.id() - extra;
  for (int distance = 1; distance < q; distance *= 2) {
    const int other = me ^ distance;
    const int peer = other < extra ? 2 * other + 1 : other + extra;
    co_yield send(peer, self.vector());
    co_yield recv_reduce(peer, self.vector());
    co_yield fence();
  }

  if (folded) {
    co_yield send(self.id() - 1, self.vector());
    co_yield fence();
  }
}

Relabelling recursive_doubling_symmetry(const World& world) {
  return is_power_of_two(world.ranks) ? Relabelling::exclusive_or : Relabelling::none;
}

std::optional<ClosedForm> recursive_doubling_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  double time_s = floor_log2(t.p) * (t.alpha + t.n_beta + t.n_gamma);
  if (t.p != floor_power_of_two(t.p)) time_s += 2 * t.alpha + 2 * t.n_beta + t.n_gamma;
  return ClosedForm{time_s, true};
}

}  // namespace reducelab::allreduce
