#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {
namespace {

// Recursive halving, then recursive doubling, between q = 2^k participants, of which the first
// `extra` stand for two ranks each. In every step the two partners hold the same window of blocks;
// the one whose bit is 0 keeps the lower half. near-first: the largest messages go to the nearest
// rank (MPICH and Open MPI all-reduce); far-first: participant v ends with block v (their
// stand-alone reduce-scatter).
Program halve_and_double(Rank self, int me, int q, int extra) {
  const bool near_first = self.params().text("order") == "near-first";
  const Blocks block = self.blocks(q);
  const auto distance_at = [&](int length) { return near_first ? q / length : length / 2; };
  const auto rank_of = [&](int v) { return v < extra ? 2 * v : v + extra; };

  int first = 0;  // the window of blocks that is still mine to reduce
  for (int length = q; length > 1; length /= 2) {
    const int distance = distance_at(length);
    const int peer = rank_of(me ^ distance);
    const int half = length / 2;
    const bool keep_upper = (me & distance) != 0;
    co_yield send(peer, block.span(keep_upper ? first : first + half, half));
    if (keep_upper) first += half;
    co_yield recv_reduce(peer, block.span(first, half));
    co_yield fence();
  }
  for (int length = 2; length <= q; length *= 2) {
    const int distance = distance_at(length);
    const int peer = rank_of(me ^ distance);
    const int half = length / 2;
    const bool have_upper = (me & distance) != 0;
    co_yield send(peer, block.span(first, half));
    co_yield recv(peer, block.span(have_upper ? first - half : first + half, half));
    co_yield fence();
    if (have_upper) first -= half;
  }
}

}  // namespace

// Rabenseifner 2004. With p = q + extra ranks the first 2 * extra are folded in pairs that exchange
// halves, so that both reduce; the odd one sits out and gets the result at the end.
Program rabenseifner(Rank self) {
  const int q = floor_power_of_two(self.size());
  const int extra = self.size() - q;
  const Blocks half = self.blocks(2);
  if (self.id() >= 2 * extra) {
    co_yield run(halve_and_double(self, self.id() - extra, q, extra));
  } else if (self.id() % 2 == 0) {
    const int partner = self.id() + 1;
    co_yield send(partner, half[1]);
    co_yield recv_reduce(partner, half[0]);
    co_yield recv(partner, half[1]);
    co_yield fence();
    co_yield run(halve_and_double(self, self.id() / 2, q, extra));
    co_yield send(partner, self.vector());
    co_yield fence();
  } else {
    const int partner = self.id() - 1;
    co_yield send(partner, half[0]);
    co_yield recv_reduce(partner, half[1]);
    co_yield send(partner, half[1]);
    co_yield recv(partner, self.vector());
  }
}

Relabelling rabenseifner_symmetry(const World& world) {
  return is_power_of_two(world.ranks) && world.count % world.ranks == 0 ? Relabelling::exclusive_or
                                                                        : Relabelling::none;
}

std::optional<ClosedForm> rabenseifner_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const int q = floor_power_of_two(t.p);
  const double share = (q - 1.0) / q;
  double time_s = 2 * floor_log2(t.p) * t.alpha + share * (2 * t.n_beta + t.n_gamma);
  if (t.p != q) time_s += 3 * t.alpha + 2 * t.n_beta + t.n_gamma / 2;
  return ClosedForm{time_s, world.count % q == 0};
}

}  // namespace reducelab::allreduce
