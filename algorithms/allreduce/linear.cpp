#include <fmt/format.h>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

// Everybody sends to the root, which folds in one fixed order (its own vector, then the others by
// rank), and the root sends the result to everybody.
Program linear(Rank self) {
  const int root = static_cast<int>(self.params().integer("root"));
  if (self.id() != root) {
    co_yield send(root, self.vector());
    co_yield recv(root, self.vector());
    co_return;
  }
  for (int peer = 0; peer < self.size(); ++peer) {
    if (peer != root) co_yield recv_reduce(peer, self.vector());
  }
  for (int peer = 0; peer < self.size(); ++peer) {
    if (peer != root) co_yield send(peer, self.vector());
  }
  co_yield fence();
}

// All p-1 messages share the root's port and arrive together; so do the answers.
std::optional<ClosedForm> linear_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  return ClosedForm{2 * t.alpha + (t.p - 1) * (2 * t.n_beta + t.n_gamma), true};
}

std::string root_refusal(const World& world) {
  const std::int64_t root = world.params.integer("root");
  if (root < world.ranks) return "";
  return fmt::format("root {} is not a rank; the ranks are 0 to {}", root, world.ranks - 1);
}

}  // namespace reducelab::allreduce
