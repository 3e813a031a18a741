#pragma once

#include <optional>
#include <string>

#include "random_case.h"

namespace reducelab {

/// Two engines that ought to give the same runs.
struct EnginePair {
  NetworkMaker reference;
  NetworkMaker other;
  bool reference_in_child = false;

  /// What they do not agree in on a case; nothing if they agree. A case that is impossible for
  /// both (no route, a scenario that names a rank that is not there) makes no difference.
  std::optional<std::string> difference_on(const Case& source) const;
  /// Why `failing`, on which they differ, does so: the smallest case like it, as text.
  std::string explain(const Case& failing) const;
};

/// SimGrid in a child, and our flow engine.
EnginePair simgrid_and_flow();

}  // namespace reducelab
