#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/verify/expressions.h"

namespace reducelab {

/// Neighbouring elements with the same expression. Element i holds the expression over element
/// i + shift of the ranks' vectors.
struct Segment {
  std::int64_t first = 0;
  std::int64_t end = 0;
  Expressions::Id expression = Expressions::kZero;
  std::int64_t shift = 0;  ///< 0 where the place does not matter

  bool same_value(const Segment& other) const {
    return expression == other.expression && shift == other.shift;
  }
};

/// What one buffer of one participant holds, as a map from intervals to expressions.
class SymbolicBuffer {
 public:
  SymbolicBuffer(std::int64_t count, Expressions::Id everywhere) {
    if (count > 0) segments_.push_back({0, count, everywhere, 0});
  }

  const std::vector<Segment>& segments() const { return segments_; }
  /// The contents of a range, with element 0 at its beginning.
  std::vector<Segment> read(const Range& range) const;
  /// Puts into a range what `read` gave for one of the same length.
  void write(const Range& range, const std::vector<Segment>& contents);

 private:
  std::size_t find(std::int64_t element) const;

  std::vector<Segment> segments_;  // without gaps
};

}  // namespace reducelab
