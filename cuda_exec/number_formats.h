#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace reducelab {

/// What a format does with its largest exponent and with values beyond its range.
enum class RangeRule : std::uint8_t {
  infinity,  ///< IEEE 754: has infinities, overflow rounds to them
  saturate,  ///< has infinities, but overflow and infinity convert to the largest finite
  saturate_no_infinity,  ///< as `saturate`, and the all-ones code alone is NaN (OCP E4M3)
};

/// A floating-point format narrower than float32, kept as an integer code: one sign bit, then the
/// exponent, then the mantissa. Conversions round once, to nearest, ties to even; denormals are
/// kept; every NaN converts to the one code `quiet_nan`. Written without branches so that loops
/// over them vectorise. They assume the default rounding mode and no flush-to-zero.
template <int ExponentBits, int MantissaBits, RangeRule Rule>
struct NarrowFormat {
  using Code = std::conditional_t<(ExponentBits + MantissaBits > 7), std::uint16_t, std::uint8_t>;

  static constexpr int mantissa_bits = MantissaBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr Code sign_mask = static_cast<Code>(1 << (ExponentBits + MantissaBits));
  static constexpr Code magnitude_mask = static_cast<Code>(sign_mask - 1);
  /// Codes whose magnitude is above this one are NaN.
  static constexpr Code largest_non_nan = static_cast<Code>(
      Rule == RangeRule::saturate_no_infinity ? magnitude_mask - 1
                                              : magnitude_mask - ((1 << MantissaBits) - 1));
  /// The largest finite magnitude.
  static constexpr Code max_finite = static_cast<Code>(
      Rule == RangeRule::saturate_no_infinity ? largest_non_nan : largest_non_nan - 1);
  /// The magnitude that a value beyond the range converts to.
  static constexpr Code overflow = Rule == RangeRule::infinity ? largest_non_nan : max_finite;
  /// The NaN that results are written with.
  static constexpr Code quiet_nan = static_cast<Code>(
      Rule == RangeRule::saturate_no_infinity ? magnitude_mask
                                              : largest_non_nan | (1 << (MantissaBits - 1)));

  /// The code nearest to `value` (float or double; one rounding from either).
  template <class Real>
  static constexpr Code encode(Real value) {
    using Carrier = CarrierOf<Real>;
    using Bits = typename Carrier::Bits;
    const Bits bits = std::bit_cast<Bits>(value);
    const Bits magnitude = bits & Carrier::magnitude_mask;
    // Normal results: add just under half a unit, plus one if the kept part is odd, and cut.
    const Bits half =
        (Bits{1} << (Carrier::dropped - 1)) - 1 + ((magnitude >> Carrier::dropped) & 1);
    Bits code = ((magnitude + half) >> Carrier::dropped) - Carrier::rebias;
    code = code > overflow ? Bits{overflow} : code;
    // Denormal results: the anchor's last place is this format's smallest denormal, so the
    // hardware addition does the rounding.
    const Bits denormal = std::bit_cast<Bits>(std::bit_cast<Real>(magnitude) + Carrier::anchor) -
                          Carrier::anchor_bits;
    code = magnitude < Carrier::smallest_normal_bits ? denormal : code;
    code |= (bits >> Carrier::sign_shift) & sign_mask;
    code = magnitude > Carrier::infinity_bits ? Bits{quiet_nan} : code;
    return static_cast<Code>(code);
  }

  /// The exact value of `code` as float or double.
  template <class Real>
  static constexpr Real decode(Code code) {
    using Carrier = CarrierOf<Real>;
    using Bits = typename Carrier::Bits;
    const Bits magnitude = code & magnitude_mask;
    const Bits sign = Bits(code & sign_mask) << Carrier::sign_shift;
    Bits bits = (magnitude << Carrier::dropped) + (Carrier::rebias << Carrier::dropped);
    if constexpr (Carrier::rebias != 0) {
      const Bits denormal = std::bit_cast<Bits>(
          std::bit_cast<Real>(Carrier::anchor_bits + magnitude) - Carrier::anchor);
      bits = magnitude < (Bits{1} << MantissaBits) ? denormal : bits;
      if constexpr (Rule != RangeRule::saturate_no_infinity) {
        bits = magnitude == largest_non_nan ? Carrier::infinity_bits : bits;
      }
      bits = magnitude > largest_non_nan ? Carrier::quiet_nan_bits : bits;
    }
    return std::bit_cast<Real>(bits | sign);
  }

 private:
  /// How the format lies inside float or double, which hold all its values exactly.
  template <class Real>
  struct CarrierOf {
    using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    static constexpr int mantissa = std::numeric_limits<Real>::digits - 1;
    static constexpr int carrier_bias = std::numeric_limits<Real>::max_exponent - 1;
    static constexpr int dropped = mantissa - MantissaBits;
    static constexpr int sign_shift =
        static_cast<int>(sizeof(Real)) * 8 - 1 - ExponentBits - MantissaBits;
    static constexpr Bits magnitude_mask = ~Bits{0} >> 1;
    static constexpr Bits infinity_bits =
        std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
    static constexpr Bits quiet_nan_bits = infinity_bits | (Bits{1} << (mantissa - 1));
    /// Difference of the exponent biases, placed where the code's exponent field is.
    static constexpr Bits rebias = static_cast<Bits>(carrier_bias - bias) << MantissaBits;
    static constexpr Bits smallest_normal_bits = static_cast<Bits>(carrier_bias + 1 - bias)
                                                 << mantissa;
    static constexpr Bits anchor_bits = static_cast<Bits>(carrier_bias + 1 - bias + dropped)
                                        << mantissa;
    static constexpr Real anchor = std::bit_cast<Real>(anchor_bits);
  };
};

/// IEEE 754 binary16: largest 65504, overflow to infinity.
using Float16 = NarrowFormat<5, 10, RangeRule::infinity>;
/// bfloat16: the upper half of a float32; overflow to infinity.
using BFloat16 = NarrowFormat<8, 7, RangeRule::infinity>;
/// OCP 8-bit E4M3: largest 448, no infinity, NaN 0x7f and 0xff. Overflow and infinity convert to
/// the largest finite value (SATFINITE, the default of NVIDIA's conversions).
using Float8E4M3 = NarrowFormat<4, 3, RangeRule::saturate_no_infinity>;
/// OCP 8-bit E5M2: largest finite 57344; infinities exist as codes (0x7c, 0xfc), but overflow and
/// infinity convert to the largest finite value, as for E4M3.
using Float8E5M2 = NarrowFormat<5, 2, RangeRule::saturate>;

}  // namespace reducelab
