#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "cuda_exec/element.h"
#include "cuda_exec/reference.h"

namespace reducelab {
namespace {

double power_of_two(int exponent) {
  return std::ldexp(1.0, exponent);
}

/// What a correct result may be, as multiples of the reference.
struct Bounds {
  double relative_error;  ///< largest |error| / |reference|
  double absolute_slack;  ///< added to that: underflow of the final division
  double least_ratio;     ///< smallest result / reference
};

template <class Format>
Bounds bounds_of(const Reference& reference) {
  constexpr double u = 0x1.0p-1 / static_cast<double>(std::uint64_t{1} << Format::mantissa_bits);
  const int roundings = reference.ranks - 1 + (reference.op == ReduceOp::avg ? 1 : 0);
  // The reference itself carries the roundings of float64.
  double relative = std::expm1(roundings * (std::log1p(u) + std::log1p(0x1.0p-53)));
  if (reference.op == ReduceOp::min || reference.op == ReduceOp::max) relative = 0;
  const double smallest = power_of_two(1 - Format::bias - Format::mantissa_bits);
  switch (reference.op) {
    case ReduceOp::sum:  // the largest of the addends is at least their mean
      return {relative, 0, 1.0 / reference.ranks};
    case ReduceOp::avg:
      return {relative, smallest / 2, (1 - u) / reference.ranks};
    case ReduceOp::prod:
      return {relative, 0, 0};
    case ReduceOp::min:
    case ReduceOp::max:
      break;
  }
  return {relative, 0, 1};
}

template <class Format>
Comparison compare_floating(const Reference& reference, const std::byte* result) {
  using Code = typename Format::Code;
  const Bounds bounds = bounds_of<Format>(reference);
  const double smallest_normal = power_of_two(1 - Format::bias);
  const double last_place = power_of_two(-Format::mantissa_bits);
  Comparison comparison;
  for (std::size_t i = 0; i < reference.values.size(); ++i) {
    const double expected = reference.values[i];
    const double got = Format::template decode<double>(load_element<Code>(result, i));
    if (!std::isfinite(got)) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      comparison.merge({infinity, infinity, infinity, 1});
      continue;
    }
    const double error = std::abs(got - expected);
    const double scale = std::abs(expected);
    const bool beyond = error > bounds.relative_error * scale + bounds.absolute_slack;
    // `got` seen in the direction of the reference; negative means the wrong sign.
    const double along = expected < 0 ? -got : got;
    const bool too_small = along < bounds.least_ratio * scale - bounds.absolute_slack;
    comparison.wrong += beyond || too_small ? 1 : 0;
    // 2^exponent of the reference: its bits with the mantissa cut off.
    const double binade =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(scale) & (std::uint64_t{0x7ff} << 52));
    comparison.max_abs_error = std::max(comparison.max_abs_error, error);
    comparison.max_rel_error =
        std::max(comparison.max_rel_error, scale > 0 ? error / scale : error);
    comparison.max_ulps =
        std::max(comparison.max_ulps, error / (std::max(binade, smallest_normal) * last_place));
  }
  return comparison;
}

template <class Format>
Comparison compare_integers(const Reference& reference, const std::byte* result) {
  using Code = typename Format::Code;
  Comparison comparison;
  for (std::size_t i = 0; i < reference.integers.size(); ++i) {
    const std::int64_t expected = reference.integers[i];
    const std::int64_t got = static_cast<typename Format::Value>(load_element<Code>(result, i));
    if (got == expected) continue;
    const auto larger = static_cast<std::uint64_t>(std::max(got, expected));
    const auto smaller = static_cast<std::uint64_t>(std::min(got, expected));
    const auto error = static_cast<double>(larger - smaller);
    const double scale = std::abs(static_cast<double>(expected));
    comparison.merge({error, scale > 0 ? error / scale : error, error, 1});
  }
  return comparison;
}

}  // namespace

void Comparison::merge(const Comparison& other) {
  max_abs_error = std::max(max_abs_error, other.max_abs_error);
  max_rel_error = std::max(max_rel_error, other.max_rel_error);
  max_ulps = std::max(max_ulps, other.max_ulps);
  wrong += other.wrong;
}

Comparison compare(const Reference& reference, std::span<const std::byte> result) {
  const std::size_t count = std::max(reference.values.size(), reference.integers.size());
  if (result.size() != count * static_cast<std::size_t>(size_of(reference.type))) {
    throw Error(ErrorCode::bug, fmt::format("compare: {} bytes of result for {} elements of {}",
                                            result.size(), count, name_of(reference.type)));
  }
  return with_format(reference.type, [&]<class Format>(Format) {
    if constexpr (is_integer_format<Format>) {
      return compare_integers<Format>(reference, result.data());
    } else {
      return compare_floating<Format>(reference, result.data());
    }
  });
}

}  // namespace reducelab
