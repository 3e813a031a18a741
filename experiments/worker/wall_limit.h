#pragma once

#include "core/error.h"

namespace reducelab {

/// How long a simulation may take in real time unless its caller says otherwise.
inline constexpr double kDefaultWallLimit_s = 3600;

/// The Error (failed) of a simulation that was stopped after `limit_s` of real time.
Error wall_limit_error(double limit_s);

/// While it lives, ends this process when `limit_s` seconds of real time have passed: whatever the
/// process is doing, it writes an error event to `output` and exits with the code of that error.
/// One at a time; uses SIGALRM and ITIMER_REAL.
class WallLimit {
 public:
  WallLimit(double limit_s, int output);
  WallLimit(const WallLimit&) = delete;
  WallLimit& operator=(const WallLimit&) = delete;
  ~WallLimit();
};

}  // namespace reducelab
