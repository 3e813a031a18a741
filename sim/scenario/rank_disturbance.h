#pragma once

#include "sim/scenario/origin.h"
#include "sim/scenario/rank_set.h"
#include "sim/scenario/resource.h"
#include "sim/scenario/window.h"

namespace reducelab {

/// Ranks whose work takes `factor` times as long during the window; overlapping ones multiply.
struct SlowRank {
  RankSet ranks;
  double factor = 1;  ///< above 0; 1.5 = half as long again
  ResourceSet resources;
  Window window;
  Origin origin;
  bool operator==(const SlowRank&) const = default;
};

/// Ranks whose resources do nothing in [at_s, at_s + duration_s).
struct Delay {
  RankSet ranks;
  double at_s = 0;
  double duration_s = 0;
  ResourceSet resources;
  Origin origin;
  bool operator==(const Delay&) const = default;
};

/// Periodic noise of the operating system: every `period_s` the ranks' resources do nothing for
/// `duration_s` (the injected noise of Ferreira, Bridges, Brightwell, "Characterizing application
/// sensitivity to OS interference using kernel-level noise injection", SC08).
struct Noise {
  RankSet ranks;
  double period_s = 0;
  double duration_s = 0;      ///< below the period
  bool synchronised = false;  ///< all in phase, from time 0; otherwise a random phase per rank
  ResourceSet resources;
  Origin origin;
  bool operator==(const Noise&) const = default;
};

}  // namespace reducelab
