#include "cuda_exec/sample_data.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/rng.h"
#include "cuda_exec/element.h"
#include "cuda_exec/vector_level.h"

namespace reducelab {
namespace {

static_assert(std::endian::native == std::endian::little,
              "two 32-bit draws are read out of one of 64 bits in little-endian order");

/// Types of 8 bytes take a draw of 64 bits per element; two elements of the others share one.
template <class Format>
using Draw = std::conditional_t<sizeof(typename Format::Code) == 8, std::uint64_t, std::uint32_t>;

enum class Shape : std::uint8_t { positive, signed_mix, near_one };

constexpr Shape shape_for(ReduceOp op) {
  if (op == ReduceOp::prod) return Shape::near_one;
  return op == ReduceOp::min || op == ReduceOp::max ? Shape::signed_mix : Shape::positive;
}

template <class Format, Shape shape>
typename Format::Code floating_sample(Draw<Format> draw) {
  using Code = typename Format::Code;
  using DrawType = Draw<Format>;
  using Real = std::conditional_t<sizeof(Code) == 8, double, float>;
  using Signed = std::make_signed_t<DrawType>;
  constexpr int digits = Format::mantissa_bits;
  constexpr int draw_bits = static_cast<int>(sizeof(DrawType)) * 8;
  constexpr Real unit = Real{1} / static_cast<Real>(std::uint64_t{1} << digits);
  const Code sign = (draw & 1) != 0 ? Format::sign_mask : Code{0};
  if constexpr (shape == Shape::near_one) {
    Signed step;
    if constexpr (digits > 4) {
      step = static_cast<Signed>(draw >> (draw_bits - digits + 3)) - (Signed{1} << (digits - 4));
      step += step >= 0 ? 1 : 0;  // symmetric about 0, so that products do not drift
    } else {
      step = static_cast<Signed>((draw >> 30) & 1) - static_cast<Signed>((draw >> 31) & 1);
    }
    return static_cast<Code>(Format::encode(Real{1} + static_cast<Real>(step) * unit) | sign);
  } else {
    const auto steps = static_cast<Signed>(draw >> (draw_bits - digits));
    const Code code = Format::encode(Real{0.5} + static_cast<Real>(steps) * unit);
    return shape == Shape::signed_mix ? static_cast<Code>(code | sign) : code;
  }
}

template <class Format, Shape shape>
typename Format::Code integer_sample(Draw<Format> draw) {
  using Code = typename Format::Code;
  using Signed = std::make_signed_t<Draw<Format>>;
  constexpr int draw_bits = static_cast<int>(sizeof(Signed)) * 8;
  if constexpr (shape == Shape::signed_mix) {
    return static_cast<Code>(draw >> (draw_bits - static_cast<int>(sizeof(Code)) * 8));
  } else if constexpr (shape == Shape::near_one) {
    return static_cast<Code>((static_cast<Signed>(draw) >> (draw_bits - 4)) * 2 + 1);
  } else {
    constexpr int bits = sizeof(Code) == 1 ? 4 : 16;
    return static_cast<Code>(static_cast<Signed>(draw) >> (draw_bits - bits));
  }
}

constexpr std::size_t tile_elements = 1024;

template <class Format, Shape shape>
void fill_as(const RandomStream& stream, std::uint64_t first, std::size_t count, std::byte* out) {
  using Code = typename Format::Code;
  constexpr std::size_t per_draw = sizeof(std::uint64_t) / sizeof(Draw<Format>);
  std::array<std::uint64_t, tile_elements / per_draw + 1> draws;
  std::array<Draw<Format>, tile_elements + per_draw> pieces;
  for (std::size_t done = 0; done < count; done += tile_elements) {
    const std::size_t wanted = std::min(tile_elements, count - done);
    const std::uint64_t skipped = (first + done) % per_draw;
    const std::uint64_t first_draw = (first + done) / per_draw;
    const std::size_t needed = (wanted + skipped + per_draw - 1) / per_draw;
    for (std::size_t i = 0; i < needed; ++i) draws[i] = stream.bits(first_draw + i);
    std::memcpy(pieces.data(), draws.data(), needed * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < wanted; ++i) {
      if constexpr (is_integer_format<Format>) {
        store_element<Code>(out, done + i, integer_sample<Format, shape>(pieces[skipped + i]));
      } else {
        store_element<Code>(out, done + i, floating_sample<Format, shape>(pieces[skipped + i]));
      }
    }
  }
}

void fill_kernel(DataType type, Shape shape, RandomStream stream, std::uint64_t first,
                 std::size_t count, std::byte* out) {
  with_format(type, [&]<class Format>(Format) {
    switch (shape) {
      case Shape::positive:
        return fill_as<Format, Shape::positive>(stream, first, count, out);
      case Shape::signed_mix:
        return fill_as<Format, Shape::signed_mix>(stream, first, count, out);
      case Shape::near_one:
        return fill_as<Format, Shape::near_one>(stream, first, count, out);
    }
  });
}

}  // namespace

void fill(DataType type, ReduceOp op, std::uint64_t seed, int rank, std::int64_t first_element,
          std::span<std::byte> out) {
  const auto element_bytes = static_cast<std::size_t>(size_of(type));
  if (first_element < 0 || rank < 0 || out.size() % element_bytes != 0) {
    throw Error(ErrorCode::bug,
                fmt::format("sample data: element {} of rank {} into {} bytes of {}", first_element,
                            rank, out.size(), name_of(type)));
  }
  const RandomStream stream(seed, RandomPurpose::data, static_cast<std::uint64_t>(rank));
  run_kernel<fill_kernel>(best_vector_level(), type, shape_for(op), stream,
                          static_cast<std::uint64_t>(first_element), out.size() / element_bytes,
                          out.data());
}

}  // namespace reducelab
