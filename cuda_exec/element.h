#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/data_type.h"
#include "cuda_exec/number_formats.h"

namespace reducelab {

/// A floating type that the processor computes in: its codes are the bits of `Real`, and results
/// that are NaN are written as the one quiet NaN.
template <class Real, class CodeType>
struct NativeFormat {
  using Code = CodeType;
  static constexpr int mantissa_bits = std::numeric_limits<Real>::digits - 1;
  static constexpr int bias = std::numeric_limits<Real>::max_exponent - 1;
  static constexpr Code magnitude_mask = ~Code{0} >> 1;
  static constexpr Code sign_mask = ~magnitude_mask;
  static constexpr Code largest_non_nan =
      std::bit_cast<Code>(std::numeric_limits<Real>::infinity());
  static constexpr Code quiet_nan = largest_non_nan | (Code{1} << (mantissa_bits - 1));

  static constexpr Code encode(Real value) {
    const Code code = std::bit_cast<Code>(value);
    return (code & magnitude_mask) > largest_non_nan ? quiet_nan : code;
  }
  template <class Target>
  static constexpr Target decode(Code code) {
    return static_cast<Target>(std::bit_cast<Real>(code));
  }
};

/// A two's-complement integer type; arithmetic wraps, so it is done on the unsigned `Code`.
template <class Signed>
struct IntegerFormat {
  using Value = Signed;
  using Code = std::make_unsigned_t<Signed>;
};

using Float64 = NativeFormat<double, std::uint64_t>;
using Float32 = NativeFormat<float, std::uint32_t>;

/// True for the formats above that stand for integers.
template <class Format>
inline constexpr bool is_integer_format = requires {
  typename Format::Value;
};

/// Calls `function(Format{})` with the format of `type`: one of Float64, Float32, a NarrowFormat or
/// an IntegerFormat.
template <class Function>
constexpr decltype(auto) with_format(DataType type, Function&& function) {
  switch (type) {
    case DataType::float64:
      return function(Float64{});
    case DataType::float32:
      return function(Float32{});
    case DataType::float16:
      return function(Float16{});
    case DataType::bfloat16:
      return function(BFloat16{});
    case DataType::fp8_e4m3:
      return function(Float8E4M3{});
    case DataType::fp8_e5m2:
      return function(Float8E5M2{});
    case DataType::int8:
      return function(IntegerFormat<std::int8_t>{});
    case DataType::int32:
      return function(IntegerFormat<std::int32_t>{});
    case DataType::int64:
      break;
  }
  return function(IntegerFormat<std::int64_t>{});
}

/// Reads element `index` of a buffer that need not be aligned.
template <class Code>
Code load_element(const std::byte* buffer, std::size_t index) {
  Code code;
  std::memcpy(&code, buffer + index * sizeof(Code), sizeof(Code));
  return code;
}

/// Writes element `index` of a buffer that need not be aligned.
template <class Code>
void store_element(std::byte* buffer, std::size_t index, Code code) {
  std::memcpy(buffer + index * sizeof(Code), &code, sizeof(Code));
}

}  // namespace reducelab
