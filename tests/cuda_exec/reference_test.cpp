#include "cuda_exec/reference.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/error.h"
#include "cuda_exec/reducer.h"
#include "cuda_exec/sample_data.h"
#include "tests/cuda_exec/scalar_reduction.h"

namespace reducelab {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<int> first_ranks(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::vector<Bytes> all_samples(DataType type, ReduceOp op, int ranks, std::size_t count) {
  std::vector<Bytes> data;
  for (int rank = 0; rank < ranks; ++rank) {
    data.emplace_back(count * static_cast<std::size_t>(size_of(type)));
    fill(type, op, 1, rank, 0, data.back());
  }
  return data;
}

/// One rank after the other, as a ring does it.
Bytes reduce_in_sequence(DataType type, ReduceOp op, int ranks, std::size_t count) {
  const auto reducer = make_cpu_reducer();
  auto data = all_samples(type, op, ranks, count);
  for (std::size_t i = 1; i < data.size(); ++i) reducer->accumulate(type, op, data[0], data[i]);
  if (op == ReduceOp::avg) reducer->divide(type, data[0], ranks);
  return data[0];
}

/// Pairs of neighbours, then pairs of pairs.
Bytes reduce_as_a_tree(DataType type, ReduceOp op, int ranks, std::size_t count) {
  const auto reducer = make_cpu_reducer();
  auto data = all_samples(type, op, ranks, count);
  for (std::size_t gap = 1; gap < data.size(); gap *= 2) {
    for (std::size_t i = 0; i + gap < data.size(); i += 2 * gap) {
      reducer->accumulate(type, op, data[i], data[i + gap]);
    }
  }
  if (op == ReduceOp::avg) reducer->divide(type, data[0], ranks);
  return data[0];
}

Reference reference_of(DataType type, ReduceOp op, int ranks, std::int64_t count) {
  return reference_reduction(type, op, 1, first_ranks(ranks), 0, count);
}

TEST(Reference, SumsAndProductsOfDoubleAreRoundedOnceFromTwiceTheDigits) {
  constexpr std::size_t count = 3000;
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod}) {
    const auto data = all_samples(DataType::float64, op, 100, count);
    const Reference reference =
        reference_of(DataType::float64, op, 100, static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      Exact wanted = op == ReduceOp::prod ? 1 : 0;
      for (const Bytes& rank : data) {
        const auto x = std::bit_cast<double>(code_at(DataType::float64, rank.data(), i));
        wanted = op == ReduceOp::prod ? wanted * x : wanted + x;
      }
      ASSERT_EQ(reference.values[i], static_cast<double>(wanted)) << name_of(op) << " " << i;
    }
  }
}

TEST(Reference, FloatReductionsAreThoseOfTheSamplesInWiderArithmetic) {
  constexpr std::size_t count = 1500;
  for (const ReduceOp op : all_reduce_ops()) {
    const auto data = all_samples(DataType::float32, op, 37, count);
    const Reference reference =
        reference_of(DataType::float32, op, 37, static_cast<std::int64_t>(count));
    ASSERT_EQ(reference.values.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Exact> values;
      for (const Bytes& rank : data) {
        const auto code = static_cast<std::uint32_t>(code_at(DataType::float32, rank.data(), i));
        values.push_back(std::bit_cast<float>(code));
      }
      Exact wanted = op == ReduceOp::prod ? 1 : 0;
      for (const Exact x : values) wanted = op == ReduceOp::prod ? wanted * x : wanted + x;
      if (op == ReduceOp::avg) wanted /= 37;
      if (op == ReduceOp::min) wanted = *std::min_element(values.begin(), values.end());
      if (op == ReduceOp::max) wanted = *std::max_element(values.begin(), values.end());
      ASSERT_NEAR(reference.values[i] / static_cast<double>(wanted), 1, 1e-14) << name_of(op);
    }
  }
}

TEST(Reference, ARangeOfRanksAndElementsIsThatPartOfTheWhole) {
  const std::vector<int> ranks{7, 2, 900};
  for (const DataType type : {DataType::bfloat16, DataType::int32}) {
    const Reference whole = reference_reduction(type, ReduceOp::sum, 3, ranks, 0, 5000);
    const Reference part = reference_reduction(type, ReduceOp::sum, 3, ranks, 1501, 2222);
    if (is_floating(type)) {
      EXPECT_TRUE(std::equal(part.values.begin(), part.values.end(), whole.values.begin() + 1501));
      EXPECT_EQ(part.values.size(), 2222U);
    } else {
      EXPECT_TRUE(
          std::equal(part.integers.begin(), part.integers.end(), whole.integers.begin() + 1501));
      EXPECT_EQ(part.integers.size(), 2222U);
    }
  }
}

TEST(Reference, NoRanksIsABugOfTheCaller) {
  EXPECT_THROW(reference_reduction(DataType::float32, ReduceOp::sum, 1, {}, 0, 1), Error);
}

TEST(Compare, ReductionsInSequenceAndAsATreeAreRightForEveryTypeAndOperation) {
  constexpr std::size_t count = 1030;
  for (const DataType type : all_data_types()) {
    for (const ReduceOp op : all_reduce_ops()) {
      for (const int ranks : {1, 2, 3, 16, 100, 700}) {
        const Reference reference = reference_of(type, op, ranks, count);
        for (const Bytes& result : {reduce_in_sequence(type, op, ranks, count),
                                    reduce_as_a_tree(type, op, ranks, count)}) {
          const Comparison comparison = compare(reference, result);
          EXPECT_EQ(comparison.wrong, 0) << name_of(type) << " " << name_of(op) << " " << ranks;
          const bool exact = !is_floating(type) || op == ReduceOp::min || op == ReduceOp::max;
          if (exact || (ranks == 1 && op != ReduceOp::avg)) {
            EXPECT_EQ(comparison.max_abs_error, 0) << name_of(type) << " " << name_of(op);
          } else if (ranks >= 16) {
            EXPECT_GT(comparison.max_rel_error, 0) << name_of(type) << " " << name_of(op);
          }
        }
      }
    }
  }
}

TEST(Compare, RoundingErrorsHaveTheSizeThatTheTypePredicts) {
  // Root-mean-square errors of 64 addends from an independent computation are 1.3e-7 in sequence
  // and 4.2e-8 as a tree; the largest of 4096 is a few times that.
  const Reference reference = reference_of(DataType::float32, ReduceOp::sum, 64, 4096);
  const Comparison sequence =
      compare(reference, reduce_in_sequence(DataType::float32, ReduceOp::sum, 64, 4096));
  const Comparison tree =
      compare(reference, reduce_as_a_tree(DataType::float32, ReduceOp::sum, 64, 4096));
  EXPECT_GT(sequence.max_rel_error, 1.3e-7);
  EXPECT_LT(sequence.max_rel_error, 10 * 1.3e-7);
  EXPECT_GT(tree.max_rel_error, 4.2e-8);
  EXPECT_LT(tree.max_rel_error, 10 * 4.2e-8);
}

TEST(Compare, AMissingOrDoubledContributionIsWrongInEveryElement) {
  constexpr std::size_t count = 500;
  for (const DataType type : {DataType::float64, DataType::float32, DataType::float16,
                              DataType::int8, DataType::int32, DataType::int64}) {
    const Reference reference = reference_of(type, ReduceOp::sum, 8, count);
    const Comparison missing =
        compare(reference, reduce_in_sequence(type, ReduceOp::sum, 7, count));
    const auto reducer = make_cpu_reducer();
    Bytes doubled = reduce_in_sequence(type, ReduceOp::sum, 8, count);
    reducer->accumulate(type, ReduceOp::sum, doubled,
                        all_samples(type, ReduceOp::sum, 1, count)[0]);
    // An integer addend of 0 is not missed.
    const auto least = static_cast<std::int64_t>(is_floating(type) ? count : count * 8 / 10);
    EXPECT_GE(missing.wrong, least) << name_of(type);
    EXPECT_GE(compare(reference, doubled).wrong, least) << name_of(type);
  }
}

TEST(Compare, OneUnitInTheLastPlaceIsOneUlp) {
  for (const DataType type : {DataType::float64, DataType::float32, DataType::float16,
                              DataType::bfloat16, DataType::fp8_e4m3, DataType::fp8_e5m2}) {
    const Reference reference = reference_of(type, ReduceOp::max, 3, 10);
    Bytes result = reduce_in_sequence(type, ReduceOp::max, 3, 10);
    set_code(type, result.data(), 4, code_at(type, result.data(), 4) ^ 1);
    const Comparison comparison = compare(reference, result);
    EXPECT_EQ(comparison.wrong, 1) << name_of(type);
    EXPECT_EQ(comparison.max_ulps, 1) << name_of(type);
  }
}

TEST(Compare, IntegersMayNotBeOffByOne) {
  for (const DataType type : {DataType::int8, DataType::int32, DataType::int64}) {
    const Reference reference = reference_of(type, ReduceOp::prod, 5, 10);
    Bytes result = reduce_in_sequence(type, ReduceOp::prod, 5, 10);
    set_code(type, result.data(), 9, code_at(type, result.data(), 9) ^ 1);
    EXPECT_EQ(compare(reference, result).wrong, 1) << name_of(type);
    EXPECT_EQ(compare(reference, result).max_abs_error, 1) << name_of(type);
  }
}

TEST(Compare, NanInfinityZeroAndAFlippedSignAreWrongEvenWhereTheBoundAllowsEverything) {
  // 1000 roundings of bfloat16 and FP8 may take the whole value.
  for (const DataType type : {DataType::bfloat16, DataType::fp8_e5m2, DataType::fp8_e4m3}) {
    const ExactFormat& format = type == DataType::bfloat16   ? exact_bfloat16()
                                : type == DataType::fp8_e5m2 ? exact_e5m2()
                                                             : exact_e4m3();
    const Reference reference = reference_of(type, ReduceOp::sum, 1001, 10);
    const Bytes right = reduce_in_sequence(type, ReduceOp::sum, 1001, 10);
    ASSERT_EQ(compare(reference, right).wrong, 0);
    const auto infinity_or_nan = static_cast<std::uint64_t>(format.largest_code() + 1);
    const std::uint64_t sign = static_cast<std::uint64_t>(format.sign());
    for (const std::uint64_t bad : {static_cast<std::uint64_t>(format.quiet_nan()), infinity_or_nan,
                                    std::uint64_t{0}, code_at(type, right.data(), 2) | sign}) {
      Bytes result = right;
      set_code(type, result.data(), 2, bad);
      EXPECT_EQ(compare(reference, result).wrong, 1) << name_of(type) << " " << std::hex << bad;
      if (bad == infinity_or_nan) {
        EXPECT_TRUE(std::isinf(compare(reference, result).max_abs_error));
      }
    }
  }
}

TEST(Compare, MergeKeepsTheLargestErrorsAndAddsTheWrongElements) {
  Comparison total{1, 4, 2, 3};
  total.merge({2, 3, 5, 4});
  EXPECT_EQ(total.max_abs_error, 2);
  EXPECT_EQ(total.max_rel_error, 4);
  EXPECT_EQ(total.max_ulps, 5);
  EXPECT_EQ(total.wrong, 7);
}

TEST(Compare, AResultOfAnotherSizeIsABugOfTheCaller) {
  EXPECT_THROW(compare(reference_of(DataType::float32, ReduceOp::sum, 2, 10), Bytes(36)), Error);
}

}  // namespace
}  // namespace reducelab
