#pragma once

#include <limits>

namespace reducelab {

inline constexpr double kForever = std::numeric_limits<double>::infinity();

/// The span [from_s, until_s) of simulated time; by default always.
struct Window {
  double from_s = 0;
  double until_s = kForever;

  bool always() const { return from_s == 0 && until_s == kForever; }
  bool operator==(const Window&) const = default;
};

}  // namespace reducelab
