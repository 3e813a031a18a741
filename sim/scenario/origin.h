#pragma once

#include <utility>

#include "core/error.h"

namespace reducelab {

/// Where a disturbance was asked for, so that a fault found later still shows its line. It is no
/// part of what the disturbance is: any two are equal.
struct Origin {
  SourceLocation place;

  Origin() = default;
  Origin(SourceLocation at) : place(std::move(at)) {}
  bool operator==(const Origin&) const { return true; }
};

}  // namespace reducelab
