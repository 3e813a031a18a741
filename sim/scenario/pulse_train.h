#pragma once

#include <algorithm>
#include <cmath>

#include "sim/scenario/window.h"

namespace reducelab {

/// The spans [start(k), start(k) + length_s), k = 0, 1, 2 ..., period_s apart (one only if that is
/// infinite), as far as they lie before until_s. Every time is computed in one way only, so that
/// edges and states agree to the last bit; length_s is below period_s.
struct PulseTrain {
  double first_s = 0;
  double length_s = kForever;
  double period_s = kForever;
  double until_s = kForever;

  static PulseTrain once(Window window) {
    return {window.from_s, kForever, kForever, window.until_s};
  }

  double start(double k) const { return k == 0 ? first_s : first_s + k * period_s; }
  double end(double k) const { return std::min(start(k) + length_s, until_s); }

  /// The last span that starts at or before t; -1 if none does.
  double index_at(double t) const {
    if (t < first_s) return -1;
    if (period_s == kForever) return 0;
    const double k = std::max(0.0, std::floor((t - first_s) / period_s));
    if (start(k) > t) return k - 1;
    return start(k + 1) <= t ? k + 1 : k;
  }

  bool active_at(double t) const {
    const double k = index_at(t);
    return k >= 0 && t < end(k);
  }

  /// The first start or end after t; infinite if there is none.
  double next_edge_after(double t) const {
    const double k = index_at(t);
    if (k >= 0 && start(k) < until_s && end(k) > t) return end(k);
    const double next = start(k + 1);
    return next < until_s ? next : kForever;
  }

  bool has_edge_at(double t) const {
    const double k = index_at(t);
    return k >= 0 && start(k) < until_s && (start(k) == t || end(k) == t);
  }

  bool operator==(const PulseTrain&) const = default;
};

}  // namespace reducelab
