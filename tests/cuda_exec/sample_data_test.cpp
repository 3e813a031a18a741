#include "cuda_exec/sample_data.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "tests/cuda_exec/scalar_reduction.h"

namespace reducelab {
namespace {

using Bytes = std::vector<std::byte>;

Bytes samples(DataType type, ReduceOp op, std::uint64_t seed, int rank, std::int64_t first,
              std::size_t count) {
  Bytes out(count * static_cast<std::size_t>(size_of(type)));
  fill(type, op, seed, rank, first, out);
  return out;
}

double value_at(DataType type, const Bytes& data, std::size_t index) {
  const std::uint64_t code = code_at(type, data.data(), index);
  switch (type) {
    case DataType::float64:
      return std::bit_cast<double>(code);
    case DataType::float32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(code));
    case DataType::float16:
      return exact_float16().value(static_cast<int>(code));
    case DataType::bfloat16:
      return exact_bfloat16().value(static_cast<int>(code));
    case DataType::fp8_e4m3:
      return exact_e4m3().value(static_cast<int>(code));
    case DataType::fp8_e5m2:
      return exact_e5m2().value(static_cast<int>(code));
    case DataType::int8:
      return static_cast<std::int8_t>(code);
    case DataType::int32:
      return static_cast<std::int32_t>(code);
    case DataType::int64:
      break;
  }
  return static_cast<double>(static_cast<std::int64_t>(code));
}

TEST(SampleData, AnElementDoesNotDependOnTheRangeItIsFilledIn) {
  for (const DataType type : all_data_types()) {
    for (const ReduceOp op : all_reduce_ops()) {
      const auto bytes = static_cast<std::size_t>(size_of(type));
      const Bytes whole = samples(type, op, 5, 3, 0, 5000);
      for (const std::size_t first : {1, 2, 1023, 1024, 1025, 3001}) {
        for (const std::size_t count : {1, 2, 5, 1024, 1999}) {
          const Bytes part = samples(type, op, 5, 3, static_cast<std::int64_t>(first), count);
          ASSERT_EQ(std::memcmp(part.data(), whole.data() + first * bytes, part.size()), 0)
              << name_of(type) << " " << name_of(op) << " " << first << " " << count;
        }
      }
    }
  }
}

TEST(SampleData, FloatIsTheDocumentedFunctionOfItsDraw) {
  const RandomStream stream(9, RandomPurpose::data, 4);
  const std::int64_t first = (std::int64_t{1} << 40) + 1;
  const Bytes data = samples(DataType::float32, ReduceOp::sum, 9, 4, first, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::uint64_t index = static_cast<std::uint64_t>(first) + i;
    const std::uint64_t half = (stream.bits(index / 2) >> (index % 2 * 32)) & 0xffffffff;
    EXPECT_EQ(value_at(DataType::float32, data, i), 0.5 + static_cast<double>(half >> 9) * 0x1p-23);
  }
}

TEST(SampleData, SeedsRanksAndElementsAllDiffer) {
  for (const DataType type : all_data_types()) {
    std::set<Bytes> seen;
    for (const std::uint64_t seed : {0, 1, 2}) {
      for (const int rank : {0, 1, 2, 1000}) {
        for (const std::int64_t first : {0, 100, 1 << 30}) {
          seen.insert(samples(type, ReduceOp::sum, seed, rank, first, 100));
        }
      }
    }
    EXPECT_EQ(seen.size(), 36U) << name_of(type);
  }
}

TEST(SampleData, SummandsAreWithinTheirRangeAndSpreadOverIt) {
  constexpr std::size_t count = 20000;
  for (const DataType type : all_data_types()) {
    const Bytes data = samples(type, ReduceOp::sum, 1, 0, 0, count);
    const double limit = type == DataType::int8 ? 8 : 32768;
    const double low = is_floating(type) ? 0.5 : -limit;
    const double high = is_floating(type) ? 1.5 : limit;
    double sum = 0;
    double sum_of_squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = (value_at(type, data, i) - low) / (high - low);
      ASSERT_TRUE(x >= 0 && x < 1) << name_of(type) << " " << i;
      sum += x;
      sum_of_squares += x * x;
    }
    // E5M2 has 4 values in the range, so its mean is 1/8 below the middle.
    const double mean = sum / count;
    EXPECT_NEAR(mean, 0.5, type == DataType::fp8_e5m2 ? 0.14 : 0.07) << name_of(type);
    EXPECT_NEAR(sum_of_squares / count - mean * mean, 1.0 / 12, 0.01) << name_of(type);
  }
}

TEST(SampleData, ExtremesOfMinAndMaxAreOfBothSigns) {
  for (const DataType type : all_data_types()) {
    const Bytes data = samples(type, ReduceOp::max, 1, 0, 0, 10000);
    int negative = 0;
    for (std::size_t i = 0; i < 10000; ++i) {
      const double x = value_at(type, data, i);
      negative += x < 0 ? 1 : 0;
      if (is_floating(type)) {
        ASSERT_TRUE(std::abs(x) >= 0.5 && std::abs(x) < 1.5);
      }
    }
    EXPECT_NEAR(negative, 5000, 200) << name_of(type);
  }
}

TEST(SampleData, ProductsOverAThousandRanksNeitherOverflowNorVanish) {
  constexpr std::size_t count = 64;
  for (const DataType type : all_data_types()) {
    std::vector<double> logarithm(count);
    int negative = 0;
    for (int rank = 0; rank < 1024; ++rank) {
      const Bytes data = samples(type, ReduceOp::prod, 1, rank, 0, count);
      for (std::size_t i = 0; i < count; ++i) {
        const double x = value_at(type, data, i);
        negative += x < 0 ? 1 : 0;
        if (is_floating(type)) {
          logarithm[i] += std::log2(std::abs(x));
        } else {
          ASSERT_EQ(std::fmod(std::abs(x), 2.0), 1.0) << name_of(type);
          ASSERT_LE(std::abs(x), 15.0) << name_of(type);
        }
      }
    }
    EXPECT_NEAR(negative, 1024 * 32, 1000) << name_of(type);
    // The widest excursion by type: FP8's steps are an eighth or a quarter, the others' a
    // sixteenth.
    const double widest = size_of(type) == 1 ? 60 : 10;
    for (const double x : logarithm) EXPECT_LT(std::abs(x), widest) << name_of(type);
  }
}

TEST(SampleData, ARangeThatCannotBeIsABugOfTheCaller) {
  Bytes out(7);
  EXPECT_THROW(fill(DataType::float32, ReduceOp::sum, 1, 0, 0, out), Error);
  EXPECT_THROW(fill(DataType::int8, ReduceOp::sum, 1, 0, -1, out), Error);
  EXPECT_THROW(fill(DataType::int8, ReduceOp::sum, 1, -1, 0, out), Error);
}

}  // namespace
}  // namespace reducelab
