#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

// Thakur, Rabenseifner, Gropp 2005. Ranks are renumbered so that the root is 0; MPI receives from
// one child at a time and sends to one child at a time, hence the fences.
Program binomial_reduce(Rank self, int root) {
  const int p = self.size();
  const int me = (self.id() - root + p) % p;
  for (int mask = 1; mask < p; mask *= 2) {
    if (me & mask) {
      co_yield send((me - mask + root) % p, self.vector());
      break;
    }
    if (me + mask < p) {
      co_yield recv_reduce((me + mask + root) % p, self.vector());
      co_yield fence();
    }
  }
}

Program binomial_broadcast(Rank self, int root) {
  const int p = self.size();
  const int me = (self.id() - root + p) % p;
  int mask = 1;
  while (mask < p && !(me & mask)) mask *= 2;
  if (me != 0) co_yield recv((me - mask + root) % p, self.vector());
  for (mask /= 2; mask > 0; mask /= 2) {
    if (me + mask >= p) continue;
    co_yield send((me + mask + root) % p, self.vector());
    co_yield fence();
  }
}

Program binomial(Rank self) {
  const int root = static_cast<int>(self.params().integer("root"));
  co_yield run(binomial_reduce(self, root));
  co_yield run(binomial_broadcast(self, root));
}

// Exact for powers of two only: else nobody is ceil(lg p) hops away from the root, and the
// broadcast saves one of its start-ups.
std::optional<ClosedForm> binomial_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const int rounds = ceil_log2(t.p);
  return ClosedForm{rounds * (2 * (t.alpha + t.n_beta) + t.n_gamma),
                    t.p == floor_power_of_two(t.p)};
}

}  // namespace reducelab::allreduce
