#include "cuda_exec/number_formats.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/cuda_exec/exact_format.h"

namespace reducelab {
namespace {

template <class Format>
const ExactFormat& exact();
template <>
const ExactFormat& exact<Float16>() {
  return exact_float16();
}
template <>
const ExactFormat& exact<BFloat16>() {
  return exact_bfloat16();
}
template <>
const ExactFormat& exact<Float8E4M3>() {
  return exact_e4m3();
}
template <>
const ExactFormat& exact<Float8E5M2>() {
  return exact_e5m2();
}

template <class Format>
class NumberFormat : public testing::Test {
 protected:
  const ExactFormat& oracle = exact<Format>();

  int encoded(double value) { return Format::template encode<double>(value); }
  int encoded(float value) { return Format::template encode<float>(value); }

  /// Both signs of a value that float holds, through both conversions.
  template <class Real>
  void expect_nearest(Real value) {
    for (const Real x : {value, -value}) {
      ASSERT_EQ(encoded(x), oracle.nearest(x, std::signbit(x))) << std::hexfloat << x;
    }
  }
};
using Formats = testing::Types<Float16, BFloat16, Float8E4M3, Float8E5M2>;
TYPED_TEST_SUITE(NumberFormat, Formats);

TYPED_TEST(NumberFormat, EveryCodeHasTheValueOfItsFieldsAndConvertsBackToItself) {
  for (int code = 0; code < 2 * this->oracle.sign(); ++code) {
    const auto narrow = static_cast<typename TypeParam::Code>(code);
    const auto as_float = TypeParam::template decode<float>(narrow);
    const auto as_double = TypeParam::template decode<double>(narrow);
    const double expected = this->oracle.value(code);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(as_float) && std::isnan(as_double)) << code;
      ASSERT_EQ(this->encoded(as_float), this->oracle.quiet_nan());
      ASSERT_EQ(this->encoded(as_double), this->oracle.quiet_nan());
      continue;
    }
    ASSERT_EQ(as_float, expected) << code;
    ASSERT_EQ(as_double, expected) << code;
    ASSERT_EQ(std::signbit(as_float), std::signbit(expected)) << code;
    ASSERT_EQ(std::signbit(as_double), std::signbit(expected)) << code;
    if (std::isinf(expected)) continue;  // what infinity converts to is tested below
    ASSERT_EQ(this->encoded(as_float), code);
    ASSERT_EQ(this->encoded(as_double), code);
  }
}

TYPED_TEST(NumberFormat, MidpointsRoundToEvenAndTheirNeighboursToTheNearerSide) {
  for (int code = 0; code <= this->oracle.largest_code(); ++code) {
    const double low = this->oracle.value(code);
    const double high = code < this->oracle.largest_code() ? this->oracle.value(code + 1)
                                                           : 2 * low - this->oracle.value(code - 1);
    const double middle = low + (high - low) / 2;
    this->template expect_nearest<double>(middle);
    // One unit of double beside the midpoint is lost if the value passes through float.
    this->template expect_nearest<double>(std::nextafter(middle, 0.0));
    this->template expect_nearest<double>(std::nextafter(middle, 1e308));
    const auto narrow_middle = static_cast<float>(middle);
    ASSERT_EQ(narrow_middle, middle);
    this->template expect_nearest<float>(narrow_middle);
    this->template expect_nearest<float>(std::nextafter(narrow_middle, 0.0F));
    this->template expect_nearest<float>(std::nextafter(narrow_middle, 3e38F));
  }
}

TYPED_TEST(NumberFormat, RandomValuesOfEveryMagnitudeRoundToTheNearest) {
  const RandomStream random(7, RandomPurpose::test, 0);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double x =
        std::ldexp(1 + random.uniform(2 * i), static_cast<int>(random.bits(2 * i + 1) % 300) - 160);
    this->template expect_nearest<double>(x);
    this->template expect_nearest<float>(static_cast<float>(x));
  }
}

TYPED_TEST(NumberFormat, NanOfEitherSignAndAnyPayloadBecomesTheQuietNan) {
  const auto bits32 = {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffffffffU, 0x7fbfffffU};
  for (const std::uint32_t bits : bits32) {
    ASSERT_EQ(this->encoded(std::bit_cast<float>(bits)), this->oracle.quiet_nan());
  }
  const auto bits64 = {0x7ff8000000000000U, 0xfff0000000000001U, 0xffffffffffffffffU};
  for (const std::uint64_t bits : bits64) {
    ASSERT_EQ(this->encoded(std::bit_cast<double>(bits)), this->oracle.quiet_nan());
  }
}

TEST(NumberFormats, OverflowIsInfinityFor16BitsAndTheLargestFiniteFor8Bits) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Float16::encode(65504.0F), 0x7bff);
  EXPECT_EQ(Float16::encode(65519.0F), 0x7bff);
  EXPECT_EQ(Float16::encode(65520.0F), 0x7c00);
  EXPECT_EQ(Float16::encode(-infinity), 0xfc00);
  EXPECT_EQ(BFloat16::encode(3.4028234e38F), 0x7f80);
  EXPECT_EQ(Float8E4M3::decode<float>(0x7e), 448.0F);
  EXPECT_EQ(Float8E4M3::encode(480.0F), 0x7e);
  EXPECT_EQ(Float8E4M3::encode(1e300), 0x7e);
  EXPECT_EQ(Float8E4M3::encode(-infinity), 0xfe);
  EXPECT_EQ(Float8E5M2::decode<float>(0x7b), 57344.0F);
  EXPECT_EQ(Float8E5M2::encode(65536.0F), 0x7b);
  EXPECT_EQ(Float8E5M2::encode(infinity), 0x7b);
  EXPECT_EQ(Float8E5M2::decode<float>(0xfc), -infinity);
}

TEST(NumberFormats, SmallestDenormalsAreThoseOfTheStandards) {
  EXPECT_EQ(Float16::decode<double>(1), 0x1p-24);
  EXPECT_EQ(BFloat16::decode<double>(1), 0x1p-133);
  EXPECT_EQ(Float8E4M3::decode<double>(1), 0x1p-9);
  EXPECT_EQ(Float8E5M2::decode<double>(1), 0x1p-16);
}

}  // namespace
}  // namespace reducelab
