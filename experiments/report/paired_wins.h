#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace reducelab {

/// How often one of several was the fastest.
struct Wins {
  std::size_t alone = 0;
  std::size_t shared = 0;  ///< as fast as another, within 1e-9 relative
};

/// Compares trial by trial: `times_s[i][t]` is the time of contestant i in trial t, nothing if it
/// did not come through; trials in which nobody did have no winner. All have equally many trials.
std::vector<Wins> paired_wins(std::span<const std::vector<std::optional<double>>> times_s);

}  // namespace reducelab
