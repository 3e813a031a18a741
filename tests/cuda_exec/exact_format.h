#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace reducelab {

/// Holds every sum, product and quotient that the tests form to more than twice double's digits.
__extension__ typedef __float128 Exact;

/// A floating format described by its fields alone, written without any of the library's code:
/// values come from their definition, rounding from a search among all values.
class ExactFormat {
 public:
  ExactFormat(int exponent_bits, int mantissa_bits, bool has_infinity, bool saturates)
      : exponent_bits_(exponent_bits),
        mantissa_bits_(mantissa_bits),
        has_infinity_(has_infinity),
        saturates_(saturates) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (int code = 0; code < sign(); ++code) {
      const int exponent = code >> mantissa_bits;
      const int mantissa = code & ((1 << mantissa_bits) - 1);
      const bool all_ones = exponent == (1 << exponent_bits) - 1;
      if (has_infinity ? all_ones : code == sign() - 1) break;
      const int whole = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
      values_.push_back(std::ldexp(whole, std::max(exponent, 1) - bias - mantissa_bits));
    }
  }

  int sign() const { return 1 << (exponent_bits_ + mantissa_bits_); }
  int largest_code() const { return static_cast<int>(values_.size()) - 1; }
  double largest() const { return values_.back(); }
  bool is_nan(int code) const {
    return (code & (sign() - 1)) > largest_code() + (has_infinity_ ? 1 : 0);
  }
  int quiet_nan() const {
    return has_infinity_ ? largest_code() + 1 + (1 << (mantissa_bits_ - 1)) : sign() - 1;
  }

  double value(int code) const {
    const int magnitude = code & (sign() - 1);
    double result = std::numeric_limits<double>::infinity();
    if (is_nan(code)) return std::numeric_limits<double>::quiet_NaN();
    if (magnitude <= largest_code()) result = values_[static_cast<std::size_t>(magnitude)];
    return (code & sign()) != 0 ? -result : result;
  }

  /// The code nearest to `x`; `negative` tells the sign of a zero.
  int nearest(Exact x, bool negative) const {
    if (x != x) return quiet_nan();
    const Exact magnitude = x < 0 ? -x : x;
    const auto above =
        std::lower_bound(values_.begin(), values_.end(), magnitude,
                         [](double a, Exact b) { return static_cast<Exact>(a) < b; });
    int code = static_cast<int>(above - values_.begin());
    if (above == values_.end()) {
      // The next value, were the range larger, decides what still rounds to the largest.
      const Exact step = static_cast<Exact>(values_.back()) - values_[values_.size() - 2];
      const Exact limit = values_.back() + step / 2;
      code = saturates_ || magnitude < limit ? largest_code() : largest_code() + 1;
    } else if (*above != magnitude) {
      const Exact up = *above - magnitude;
      const Exact down = magnitude - *(above - 1);
      if (down < up || (down == up && code % 2 == 1)) --code;
    }
    return negative ? code | sign() : code;
  }

 private:
  int exponent_bits_;
  int mantissa_bits_;
  bool has_infinity_;
  bool saturates_;
  std::vector<double> values_;  // of the non-negative finite codes, in order
};

inline const ExactFormat& exact_float16() {
  static const ExactFormat format(5, 10, true, false);
  return format;
}
inline const ExactFormat& exact_bfloat16() {
  static const ExactFormat format(8, 7, true, false);
  return format;
}
inline const ExactFormat& exact_e4m3() {
  static const ExactFormat format(4, 3, false, true);
  return format;
}
inline const ExactFormat& exact_e5m2() {
  static const ExactFormat format(5, 2, true, true);
  return format;
}

}  // namespace reducelab
