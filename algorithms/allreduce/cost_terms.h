#pragma once

#include <bit>

#include "algorithms/registry.h"

namespace reducelab::allreduce {

/// The largest power of two that is not above `value` (>= 1).
inline int floor_power_of_two(int value) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(value)));
}
inline bool is_power_of_two(int value) {
  return value == floor_power_of_two(value);
}
/// floor(lg value) and ceil(lg value) for value >= 1.
inline int floor_log2(int value) {
  return std::bit_width(static_cast<unsigned>(value)) - 1;
}
inline int ceil_log2(int value) {
  return std::bit_width(static_cast<unsigned>(value - 1));
}

/// True when no message is sent: every closed form is 0 then.
inline bool nothing_to_do(const World& world) {
  return world.count == 0 || (world.ranks == 1 && world.extras == 0);
}

/// The letters of the textbooks: p ranks, a vector of n bytes.
struct CostTerms {
  CostTerms(const World& world, const CostModel& model)
      : p(world.ranks),
        alpha(model.alpha_s),
        n_beta(static_cast<double>(world.count) * world.element_bytes * model.beta_s_per_byte),
        n_gamma(static_cast<double>(world.count) * world.element_bytes * model.gamma_s_per_byte) {}

  int p;
  double alpha;    ///< seconds
  double n_beta;   ///< seconds to send the whole vector
  double n_gamma;  ///< seconds to reduce the whole vector
};

}  // namespace reducelab::allreduce
