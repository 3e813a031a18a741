#include "cuda_exec/reference.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/error.h"
#include "cuda_exec/element.h"
#include "cuda_exec/sample_data.h"
#include "cuda_exec/vector_level.h"

namespace reducelab {
namespace {

constexpr std::size_t tile_elements = 1024;
using SampleTile = std::array<std::byte, tile_elements * sizeof(double)>;

/// The running reduction of one tile; those of float64 also keep what rounding cut off.
struct FloatingTile {
  std::array<double, tile_elements> values;
  std::array<double, tile_elements> cut_off;
};

/// a * b - product, exactly (Dekker 1971), for values that are far from overflow and underflow.
double product_error(double a, double b, double product) {
  constexpr double splitter = 0x1p27 + 1;
  const double a_high = splitter * a - (splitter * a - a);
  const double b_high = splitter * b - (splitter * b - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

template <class Format>
void add_as(ReduceOp op, const std::byte* sample, std::size_t count, FloatingTile& tile) {
  using Code = typename Format::Code;
  const auto value = [sample](std::size_t i) {
    return Format::template decode<double>(load_element<Code>(sample, i));
  };
  double* const total = tile.values.data();
  switch (op) {
    case ReduceOp::sum:
    case ReduceOp::avg:
      if constexpr (std::is_same_v<Format, Float64>) {
        for (std::size_t i = 0; i < count; ++i) {  // Knuth's TwoSum
          const double before = total[i];
          const double after = before + value(i);
          const double added = after - before;
          tile.cut_off[i] += (before - (after - added)) + (value(i) - added);
          total[i] = after;
        }
      } else {
        for (std::size_t i = 0; i < count; ++i) total[i] += value(i);
      }
      return;
    case ReduceOp::prod:
      if constexpr (std::is_same_v<Format, Float64>) {
        for (std::size_t i = 0; i < count; ++i) {
          const double before = total[i];
          total[i] = before * value(i);
          tile.cut_off[i] = tile.cut_off[i] * value(i) + product_error(before, value(i), total[i]);
        }
      } else {
        for (std::size_t i = 0; i < count; ++i) total[i] *= value(i);
      }
      return;
    case ReduceOp::min:
      for (std::size_t i = 0; i < count; ++i) total[i] = value(i) < total[i] ? value(i) : total[i];
      return;
    case ReduceOp::max:
      for (std::size_t i = 0; i < count; ++i) total[i] = value(i) > total[i] ? value(i) : total[i];
      return;
  }
}

void add_floating(DataType type, ReduceOp op, const std::byte* sample, std::size_t count,
                  FloatingTile* tile) {
  with_format(type, [&]<class Format>(Format) {
    if constexpr (!is_integer_format<Format>) add_as<Format>(op, sample, count, *tile);
  });
}

void add_integers(DataType type, ReduceOp op, const std::byte* sample, std::size_t count,
                  std::int64_t* total) {
  with_format(type, [&]<class Format>(Format) {
    if constexpr (is_integer_format<Format>) {
      using Code = typename Format::Code;
      const auto unsigned_of = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t value =
            static_cast<typename Format::Value>(load_element<Code>(sample, i));
        switch (op) {
          case ReduceOp::sum:
          case ReduceOp::avg:
            total[i] = static_cast<std::int64_t>(unsigned_of(total[i]) + unsigned_of(value));
            break;
          case ReduceOp::prod:
            total[i] = static_cast<std::int64_t>(unsigned_of(total[i]) * unsigned_of(value));
            break;
          case ReduceOp::min:
            total[i] = std::min(total[i], value);
            break;
          case ReduceOp::max:
            total[i] = std::max(total[i], value);
            break;
        }
      }
    }
  });
}

/// The value that leaves every other as it is.
template <class Number>
Number neutral(ReduceOp op) {
  using Limits = std::numeric_limits<Number>;
  switch (op) {
    case ReduceOp::prod:
      return Number{1};
    case ReduceOp::min:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case ReduceOp::max:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case ReduceOp::sum:
    case ReduceOp::avg:
      break;
  }
  return Number{0};
}

/// Reduces the integers of the type modulo 2^64; their low bits are those of the wrapped result.
std::int64_t wrapped(DataType type, std::int64_t value) {
  if (type == DataType::int8) return static_cast<std::int8_t>(value);
  if (type == DataType::int32) return static_cast<std::int32_t>(value);
  return value;
}

}  // namespace

Reference reference_reduction(DataType type, ReduceOp op, std::uint64_t seed,
                              std::span<const int> ranks, std::int64_t first_element,
                              std::int64_t count) {
  if (ranks.empty() || count < 0) {
    throw Error(ErrorCode::bug, fmt::format("reference: reduction of {} elements over {} ranks",
                                            count, ranks.size()));
  }
  Reference reference{type, op, static_cast<int>(ranks.size()), {}, {}};
  const bool floating = is_floating(type);
  const auto total = static_cast<std::size_t>(count);
  floating ? reference.values.reserve(total) : reference.integers.reserve(total);

  const VectorLevel level = best_vector_level();
  SampleTile sample;
  FloatingTile values;
  std::array<std::int64_t, tile_elements> integers;
  for (std::size_t done = 0; done < total; done += tile_elements) {
    const std::size_t size = std::min(tile_elements, total - done);
    values.values.fill(neutral<double>(op));
    values.cut_off.fill(0.0);
    integers.fill(neutral<std::int64_t>(op));
    for (const int rank : ranks) {
      fill(type, op, seed, rank, first_element + static_cast<std::int64_t>(done),
           std::span(sample).first(size * static_cast<std::size_t>(size_of(type))));
      if (floating) {
        run_kernel<add_floating>(level, type, op, std::as_const(sample).data(), size, &values);
      } else {
        run_kernel<add_integers>(level, type, op, std::as_const(sample).data(), size,
                                 integers.data());
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const int divisor = op == ReduceOp::avg ? reference.ranks : 1;
      if (floating) {
        reference.values.push_back((values.values[i] + values.cut_off[i]) / divisor);
      } else {
        reference.integers.push_back(wrapped(type, integers[i]) / divisor);
      }
    }
  }
  return reference;
}

}  // namespace reducelab
