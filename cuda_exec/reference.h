#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data_type.h"

namespace reducelab {

/// What a reduction of sample data over some ranks should give, for a range of elements.
struct Reference {
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;
  int ranks = 0;
  std::vector<double> values;          ///< floating types: computed in float64 (see below)
  std::vector<std::int64_t> integers;  ///< integer types: exact, wrapped to the type
};

/// Reduces elements `first_element` to `first_element + count - 1` of the sample data (see
/// sample_data.h) over `ranks`, in float64 (float64 itself in twice its digits, rounded once at
/// the end); avg is divided last. Holds one tile of one rank at a time. Throws an Error with code
/// `bug` if there are no ranks or `count` is negative.
Reference reference_reduction(DataType type, ReduceOp op, std::uint64_t seed,
                              std::span<const int> ranks, std::int64_t first_element,
                              std::int64_t count);

/// How far a result is from its reference.
struct Comparison {
  double max_abs_error = 0;  ///< infinite if a result is NaN or infinite
  double max_rel_error = 0;  ///< relative to |reference| (where that is 0, the absolute error)
  double max_ulps = 0;       ///< in units in the last place of the type at the reference
  std::int64_t wrong = 0;    ///< elements that no order of correctly rounded operations can give

  /// Takes in the comparison of other elements.
  void merge(const Comparison& other);
};

/// Compares the whole range of `reference` with `result`. An element is wrong
/// - for integers, min and max: if it is not equal to the reference;
/// - for sum, avg and prod: if it is not finite, or |error| > ((1+u)^k - 1) |reference|, with u the
///   type's unit round-off and k = ranks - 1 roundings (one more for avg): Higham, Accuracy and
///   Stability of Numerical Algorithms, section 4.2. With many ranks and few digits that bound
///   allows everything, so it is also wrong if a sum is below the mean of its positive addends
///   (rounding cannot take a sum of positive numbers below the largest), or a product has the
///   wrong sign.
/// Throws an Error with code `bug` if the sizes differ.
Comparison compare(const Reference& reference, std::span<const std::byte> result);

}  // namespace reducelab
