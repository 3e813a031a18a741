#include "cuda_exec/reducer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "cuda_exec/cpu_kernels.h"
#include "tests/cuda_exec/scalar_reduction.h"

namespace reducelab {
namespace {

using Bytes = std::vector<std::byte>;

template <class Number>
Bytes bytes_of(std::initializer_list<Number> values) {
  Bytes bytes(values.size() * sizeof(Number));
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

class ReducerOf : public testing::TestWithParam<DataType> {
 protected:
  const DataType type = GetParam();
  const std::size_t element_bytes = static_cast<std::size_t>(size_of(type));
  const ScalarReduction oracle{type};
  const std::unique_ptr<Reducer> reducer = make_cpu_reducer();

  Bytes expected(ReduceOp op, const Bytes& a, const Bytes& b) const {
    Bytes result(a.size());
    for (std::size_t i = 0; i < a.size() / element_bytes; ++i) {
      set_code(type, result.data(), i,
               oracle.combine(op, code_at(type, a.data(), i), code_at(type, b.data(), i)));
    }
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(AllTypes, ReducerOf,
                         testing::ValuesIn(all_data_types().begin(), all_data_types().end()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(ReducerOf, AnyBitPatternsGiveTheBitsOfWiderArithmeticRoundedOnce) {
  constexpr std::size_t count = 20011;
  const Bytes a = any_codes(type, count, 1);
  const Bytes b = any_codes(type, count, 2);
  for (const ReduceOp op : all_reduce_ops()) {
    Bytes result = a;
    reducer->accumulate(type, op, result, b);
    const Bytes wanted = expected(op, a, b);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(code_at(type, result.data(), i), code_at(type, wanted.data(), i))
          << name_of(op) << " of " << std::hex << code_at(type, a.data(), i) << " and "
          << code_at(type, b.data(), i);
    }
  }
}

TEST_P(ReducerOf, OperandOrderDoesNotChangeABit) {
  const Bytes a = any_codes(type, 20011, 3);
  const Bytes b = any_codes(type, 20011, 4);
  for (const ReduceOp op : all_reduce_ops()) {
    Bytes a_then_b = a;
    Bytes b_then_a = b;
    reducer->accumulate(type, op, a_then_b, b);
    reducer->accumulate(type, op, b_then_a, a);
    EXPECT_EQ(a_then_b, b_then_a) << name_of(op);
  }
}

TEST_P(ReducerOf, EverySizeAtOddAddressesTouchesItsElementsOnly) {
  const Bytes a = any_codes(type, 80, 5);
  const Bytes b = any_codes(type, 80, 6);
  for (const ReduceOp op : all_reduce_ops()) {
    const Bytes wanted = expected(op, a, b);
    for (std::size_t count = 0; count <= 70; ++count) {
      for (const std::size_t offset : {1, 3}) {
        const std::size_t bytes = count * element_bytes;
        constexpr std::byte guard{0xa5};
        Bytes dst(offset + bytes + 64, guard);
        Bytes src(offset + 2 + bytes);
        std::copy_n(a.begin(), bytes, dst.begin() + static_cast<std::ptrdiff_t>(offset));
        std::copy_n(b.begin(), bytes, src.begin() + static_cast<std::ptrdiff_t>(offset + 2));
        reducer->accumulate(type, op, std::span(dst).subspan(offset, bytes),
                            std::span(src).subspan(offset + 2, bytes));
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(bytes),
                               dst.begin() + static_cast<std::ptrdiff_t>(offset)))
            << name_of(op) << " of " << count << " at " << offset;
        ASSERT_EQ(std::count(dst.end() - 64, dst.end(), guard), 64);
        ASSERT_EQ(dst[offset - 1], guard);
      }
    }
  }
}

TEST_P(ReducerOf, AMillionElementsAreRightOnEveryInstructionSet) {
  // A pattern of prime length repeated, so that each element of it meets every vector lane.
  constexpr std::size_t period = 4099;
  constexpr std::size_t repeats = 256;
  const Bytes a = any_codes(type, period, 7);
  const Bytes b = any_codes(type, period, 8);
  Bytes all_b;
  for (std::size_t i = 0; i < repeats; ++i) all_b.insert(all_b.end(), b.begin(), b.end());
  for (const ReduceOp op : all_reduce_ops()) {
    const Bytes wanted = expected(op, a, b);
    for (const auto level : {VectorLevel::baseline, VectorLevel::avx2, VectorLevel::avx512}) {
      if (level > best_vector_level()) continue;
      Bytes result;
      for (std::size_t i = 0; i < repeats; ++i) result.insert(result.end(), a.begin(), a.end());
      accumulate_elements(level, type, op, result.data(), all_b.data(), period * repeats);
      for (std::size_t i = 0; i < repeats; ++i) {
        ASSERT_EQ(std::memcmp(result.data() + i * wanted.size(), wanted.data(), wanted.size()), 0)
            << name_of(op) << " level " << static_cast<int>(level) << " repeat " << i;
      }
    }
  }
}

TEST_P(ReducerOf, DivideRoundsTheExactQuotientOnceOnEveryInstructionSet) {
  constexpr std::size_t count = 5003;
  const Bytes a = any_codes(type, count, 9);
  for (const int divisor : {1, 2, 3, 7, 1000, 4097, (1 << 24) - 1, 1 << 24}) {
    for (const auto level : {VectorLevel::baseline, VectorLevel::avx2, VectorLevel::avx512}) {
      if (level > best_vector_level()) continue;
      Bytes result = a;
      divide_elements(level, type, result.data(), count, divisor);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(code_at(type, result.data(), i),
                  oracle.divide(code_at(type, a.data(), i), divisor))
            << std::hex << code_at(type, a.data(), i) << " / " << std::dec << divisor;
      }
    }
    Bytes through_reducer = a;
    Bytes direct = a;
    reducer->divide(type, through_reducer, divisor);
    divide_elements(VectorLevel::baseline, type, direct.data(), count, divisor);
    EXPECT_EQ(through_reducer, direct);
  }
}

TEST_P(ReducerOf, CopyKeepsEveryBit) {
  const Bytes a = any_codes(type, 1001, 10);
  Bytes result(a.size());
  reducer->copy(result, a);
  EXPECT_EQ(result, a);
}

TEST(Reducer, SequentialSumsOfOneStopAtTwoToTheNumberOfDigits) {
  struct Case {
    DataType type;
    std::uint64_t one;
    std::uint64_t start;
    int additions;
    std::uint64_t stop;
  };
  const Case cases[] = {
      {DataType::float32, 0x3f800000, 0x4b7ffc18, 3000, 0x4b800000},  // 16776216 -> 16777216
      {DataType::float16, 0x3c00, 0, 5000, 0x6800},                   // 2048
      {DataType::bfloat16, 0x3f80, 0, 1000, 0x4380},                  // 256
      {DataType::fp8_e4m3, 0x38, 0, 100, 0x58},                       // 16
      {DataType::fp8_e5m2, 0x3c, 0, 100, 0x48},                       // 8
  };
  const auto reducer = make_cpu_reducer();
  for (const Case& c : cases) {
    Bytes total(static_cast<std::size_t>(size_of(c.type)));
    Bytes one(total.size());
    set_code(c.type, total.data(), 0, c.start);
    set_code(c.type, one.data(), 0, c.one);
    for (int i = 0; i < c.additions; ++i) reducer->accumulate(c.type, ReduceOp::sum, total, one);
    EXPECT_EQ(code_at(c.type, total.data(), 0), c.stop) << name_of(c.type);
  }
}

TEST(Reducer, MinAndMaxPropagateNanAndOrderTheZeros) {
  const auto reducer = make_cpu_reducer();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Bytes dst = bytes_of<float>({0.0F, -0.0F, 1.0F, nan});
  reducer->accumulate(DataType::float32, ReduceOp::min, dst,
                      bytes_of<float>({-0.0F, 0.0F, -nan, 1.0F}));
  EXPECT_EQ(dst, bytes_of<std::uint32_t>({0x80000000, 0x80000000, 0x7fc00000, 0x7fc00000}));
  dst = bytes_of<float>({0.0F, -0.0F, 1.0F, nan});
  reducer->accumulate(DataType::float32, ReduceOp::max, dst,
                      bytes_of<float>({-0.0F, 0.0F, -nan, 1.0F}));
  EXPECT_EQ(dst, bytes_of<std::uint32_t>({0, 0, 0x7fc00000, 0x7fc00000}));
}

TEST(Reducer, IntegersWrapAndDivideTowardZero) {
  const auto reducer = make_cpu_reducer();
  Bytes dst = bytes_of<std::int8_t>({127, -128, 100});
  reducer->accumulate(DataType::int8, ReduceOp::sum, dst, bytes_of<std::int8_t>({1, -1, 100}));
  EXPECT_EQ(dst, bytes_of<std::int8_t>({-128, 127, -56}));
  reducer->divide(DataType::int8, dst, 3);
  EXPECT_EQ(dst, bytes_of<std::int8_t>({-42, 42, -18}));
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  Bytes wide = bytes_of<std::int64_t>({most, most});
  reducer->accumulate(DataType::int64, ReduceOp::prod, wide, bytes_of<std::int64_t>({2, most}));
  EXPECT_EQ(wide, bytes_of<std::int64_t>({-2, 1}));
}

TEST(Reducer, ABatchGivesWhatItsOperationsGiveOneByOne) {
  const auto reducer = make_cpu_reducer();
  const Bytes src = any_codes(DataType::float16, 300, 1);
  const Bytes start = any_codes(DataType::float16, 300, 2);
  const std::span<const std::byte> from(src);
  Bytes batched = start;
  Bytes single = start;
  const auto part = [](Bytes& data, std::size_t i) {
    return std::span(data).subspan(i * 200, 200);
  };
  const Reducer::Operation table[] = {
      {Reducer::Kind::accumulate, part(batched, 0), from.subspan(0, 200)},
      {Reducer::Kind::copy, part(batched, 1), from.subspan(200, 200)},
      {Reducer::Kind::accumulate, part(batched, 2), from.subspan(400, 200)}};
  reducer->run_batch(DataType::float16, ReduceOp::sum, table);
  reducer->accumulate(DataType::float16, ReduceOp::sum, part(single, 0), from.subspan(0, 200));
  reducer->copy(part(single, 1), from.subspan(200, 200));
  reducer->accumulate(DataType::float16, ReduceOp::sum, part(single, 2), from.subspan(400, 200));
  EXPECT_EQ(batched, single);
  EXPECT_NE(batched, start);
}

TEST(Reducer, ABatchWithABadOperationChangesNothing) {
  const auto reducer = make_cpu_reducer();
  const Bytes src(16, std::byte{1});
  Bytes dst(16);
  const std::span<std::byte> all(dst);
  const Reducer::Operation table[] = {{Reducer::Kind::copy, all.first(8), std::span(src).first(8)},
                                      {Reducer::Kind::copy, all.last(8), std::span(src).first(4)}};
  EXPECT_THROW(reducer->run_batch(DataType::float32, ReduceOp::sum, table), Error);
  EXPECT_EQ(dst, Bytes(16));
}

TEST(Reducer, MisuseIsABugOfTheCallerAndSaysWhat) {
  const auto reducer = make_cpu_reducer();
  Bytes data(64);
  const Bytes other(64);
  const std::span<std::byte> all(data);
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bug);
      return error.message();
    }
    return "nothing thrown";
  };
  const auto sum = [&](std::span<std::byte> dst, std::span<const std::byte> src) {
    return message([&] { reducer->accumulate(DataType::float32, ReduceOp::sum, dst, src); });
  };
  EXPECT_EQ(sum(all, std::span(other).first(60)),
            "reducer: destination has 64 bytes, source has 60");
  EXPECT_EQ(sum(all.first(6), std::span(other).first(6)),
            "reducer: 6 bytes are not a whole number of float elements of 4 bytes");
  EXPECT_EQ(sum(all.first(8), all.subspan(4, 8)),
            "reducer: source and destination of 8 bytes overlap");
  EXPECT_EQ(message([&] { reducer->copy(all.first(8), all.first(8)); }),
            "reducer: source and destination of 8 bytes overlap");
  EXPECT_EQ(message([&] { reducer->divide(DataType::float32, all, 0); }),
            "reducer: divisor 0 is not within 1 to 16777216");
}

}  // namespace
}  // namespace reducelab
