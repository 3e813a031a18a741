#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/data_type.h"
#include "core/rng.h"
#include "tests/cuda_exec/exact_format.h"

namespace reducelab {

__extension__ typedef __int128 WideInteger;

/// One reduction step on the codes of a type, computed through wider arithmetic, element by element
/// and without the library's conversions: the oracle of the reducer's tests.
class ScalarReduction {
 public:
  explicit ScalarReduction(DataType type) : type_(type) {
    if (type == DataType::float16) format_ = &exact_float16();
    if (type == DataType::bfloat16) format_ = &exact_bfloat16();
    if (type == DataType::fp8_e4m3) format_ = &exact_e4m3();
    if (type == DataType::fp8_e5m2) format_ = &exact_e5m2();
  }

  std::uint64_t combine(ReduceOp op, std::uint64_t a, std::uint64_t b) const {
    if (!is_floating(type_)) return combine_integers(op, a, b);
    const double x = value(a);
    const double y = value(b);
    const bool either_nan = std::isnan(x) || std::isnan(y);
    if (op == ReduceOp::sum || op == ReduceOp::avg) {
      return code(static_cast<Exact>(x) + y, std::signbit(x + y));
    }
    if (op == ReduceOp::prod) return code(static_cast<Exact>(x) * y, std::signbit(x * y));
    if (either_nan) return code(std::numeric_limits<double>::quiet_NaN(), false);
    const bool a_is_less = x < y || (x == y && std::signbit(x));
    return (op == ReduceOp::min) == a_is_less ? a : b;
  }

  std::uint64_t divide(std::uint64_t a, int divisor) const {
    if (!is_floating(type_)) return cut(static_cast<WideInteger>(integer(a)) / divisor);
    return code(static_cast<Exact>(value(a)) / divisor, std::signbit(value(a)));
  }

 private:
  double value(std::uint64_t bits) const {
    if (type_ == DataType::float64) return std::bit_cast<double>(bits);
    if (type_ == DataType::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return format_->value(static_cast<int>(bits));
  }
  std::uint64_t code(Exact x, bool negative) const {
    if (type_ == DataType::float64) {
      return x != x ? 0x7ff8000000000000U
                    : std::bit_cast<std::uint64_t>(signed_zero(static_cast<double>(x), negative));
    }
    if (type_ == DataType::float32) {
      return x != x ? 0x7fc00000U
                    : std::bit_cast<std::uint32_t>(signed_zero(static_cast<float>(x), negative));
    }
    return static_cast<std::uint64_t>(format_->nearest(x, negative));
  }
  template <class Real>
  static Real signed_zero(Real x, bool negative) {
    return x == 0 ? std::copysign(Real{0}, negative ? Real{-1} : Real{1}) : x;
  }

  std::int64_t integer(std::uint64_t bits) const {
    if (type_ == DataType::int8) return static_cast<std::int8_t>(bits);
    if (type_ == DataType::int32) return static_cast<std::int32_t>(bits);
    return static_cast<std::int64_t>(bits);
  }
  std::uint64_t cut(WideInteger x) const {
    const auto low = static_cast<std::uint64_t>(x);
    return size_of(type_) == 8 ? low : low & ((std::uint64_t{1} << (8 * size_of(type_))) - 1);
  }
  std::uint64_t combine_integers(ReduceOp op, std::uint64_t a, std::uint64_t b) const {
    const WideInteger x = integer(a);
    const WideInteger y = integer(b);
    switch (op) {
      case ReduceOp::sum:
      case ReduceOp::avg:
        return cut(x + y);
      case ReduceOp::prod:
        return cut(x * y);
      case ReduceOp::min:
        return cut(x < y ? x : y);
      case ReduceOp::max:
        break;
    }
    return cut(x > y ? x : y);
  }

  DataType type_;
  const ExactFormat* format_ = nullptr;
};

inline std::uint64_t code_at(DataType type, const std::byte* data, std::size_t index) {
  std::uint64_t code = 0;
  const auto bytes = static_cast<std::size_t>(size_of(type));
  std::memcpy(&code, data + index * bytes, bytes);
  return code;
}

inline void set_code(DataType type, std::byte* data, std::size_t index, std::uint64_t code) {
  const auto bytes = static_cast<std::size_t>(size_of(type));
  std::memcpy(data + index * bytes, &code, bytes);
}

/// Any bit patterns, so NaN, infinities, denormals and extremes too: a quarter are special values.
inline std::vector<std::byte> any_codes(DataType type, std::size_t count, std::uint64_t stream) {
  static constexpr std::uint64_t special32[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                                0x7fc00000, 0xff800001, 1,          0x80000001,
                                                0x7f7fffff, 0x00800000, 0x807fffff, 0x3f800000};
  static constexpr std::uint64_t special64[] = {0,
                                                1ULL << 63,
                                                0x7ff0000000000000,
                                                0xfff0000000000000,
                                                0x7ff8000000000000,
                                                1,
                                                0x8000000000000001U,
                                                0x7fefffffffffffff,
                                                0x0010000000000000,
                                                0xfff0000000000001,
                                                0x3ff0000000000000,
                                                0x7fffffffffffffff};
  const RandomStream random(11, RandomPurpose::test, stream);
  std::vector<std::byte> data(count * static_cast<std::size_t>(size_of(type)));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t choice = random.bits(2 * i);
    std::uint64_t code = random.bits(2 * i + 1);
    if (choice % 4 == 0) code = (size_of(type) == 8 ? special64 : special32)[(choice >> 8) % 12];
    // 8- and 16-bit types: the upper halves of the special values are special values too.
    if (choice % 4 == 0 && size_of(type) == 2) code >>= 16;
    set_code(type, data.data(), i, code);
  }
  return data;
}

}  // namespace reducelab
