#include "cuda_exec/cpu_kernels.h"

#include "cuda_exec/element.h"

namespace reducelab {
namespace {

enum class Extreme : bool { min, max };

template <class Format>
struct Arithmetic {
  using Code = typename Format::Code;
  // Narrow types are exact in float32, which has more than twice their digits: rounding to it
  // first does not change the rounding to the type.
  using Real = std::conditional_t<std::is_same_v<Format, Float64>, double, float>;

  static Code sum(Code a, Code b) {
    return Format::encode(Format::template decode<Real>(a) + Format::template decode<Real>(b));
  }
  static Code product(Code a, Code b) {
    return Format::encode(Format::template decode<Real>(a) * Format::template decode<Real>(b));
  }
  template <Extreme which>
  static Code extreme(Code a, Code b) {
    // The bits of floating values, read as sign and magnitude, are in the order of the values.
    const auto key_a = order_key(a);
    const auto key_b = order_key(b);
    const bool take_a = which == Extreme::min ? key_a < key_b : key_a > key_b;
    const Code chosen = take_a ? a : b;
    const Code magnitude_a = a & Format::magnitude_mask;
    const Code magnitude_b = b & Format::magnitude_mask;
    const Code larger = magnitude_a > magnitude_b ? magnitude_a : magnitude_b;
    return larger > Format::largest_non_nan ? Format::quiet_nan : chosen;
  }
  static Code quotient(Code a, int divisor) {
    // A divisor of up to 24 digits needs more than float32 between a narrow type and its rounding.
    using Wide = std::conditional_t<std::is_same_v<Format, Float32>, float, double>;
    return Format::encode(Format::template decode<Wide>(a) / static_cast<Wide>(divisor));
  }

 private:
  using Key = std::make_signed_t<Code>;
  static Key order_key(Code code) {
    return static_cast<Key>((code & Format::sign_mask) != 0 ? code ^ Format::magnitude_mask : code);
  }
};

template <class Format>
requires is_integer_format<Format>
struct Arithmetic<Format> {
  using Code = typename Format::Code;
  using Value = typename Format::Value;

  static Code sum(Code a, Code b) { return static_cast<Code>(a + b); }
  static Code product(Code a, Code b) { return static_cast<Code>(a * b); }
  template <Extreme which>
  static Code extreme(Code a, Code b) {
    const auto value_a = static_cast<Value>(a);
    const auto value_b = static_cast<Value>(b);
    return (which == Extreme::min ? value_a < value_b : value_a > value_b) ? a : b;
  }
  static Code quotient(Code a, int divisor) {
    return static_cast<Code>(static_cast<Value>(a) / divisor);
  }
};

template <class Code, class Function>
void combine_each(std::byte* __restrict dst, const std::byte* __restrict src, std::size_t count,
                  Function function) {
  for (std::size_t i = 0; i < count; ++i) {
    store_element<Code>(dst, i, function(load_element<Code>(dst, i), load_element<Code>(src, i)));
  }
}

template <class Format>
void accumulate_as(ReduceOp op, std::byte* dst, const std::byte* src, std::size_t count) {
  using Math = Arithmetic<Format>;
  using Code = typename Format::Code;
  switch (op) {
    case ReduceOp::sum:
    case ReduceOp::avg:
      return combine_each<Code>(dst, src, count, [](Code a, Code b) { return Math::sum(a, b); });
    case ReduceOp::prod:
      return combine_each<Code>(dst, src, count,
                                [](Code a, Code b) { return Math::product(a, b); });
    case ReduceOp::min:
      return combine_each<Code>(dst, src, count, [](Code a, Code b) {
        return Math::template extreme<Extreme::min>(a, b);
      });
    case ReduceOp::max:
      return combine_each<Code>(dst, src, count, [](Code a, Code b) {
        return Math::template extreme<Extreme::max>(a, b);
      });
  }
}

void accumulate_kernel(DataType type, ReduceOp op, std::byte* dst, const std::byte* src,
                       std::size_t count) {
  with_format(type, [&]<class Format>(Format) { accumulate_as<Format>(op, dst, src, count); });
}

void divide_kernel(DataType type, std::byte* dst, std::size_t count, int divisor) {
  with_format(type, [&]<class Format>(Format) {
    using Code = typename Format::Code;
    for (std::size_t i = 0; i < count; ++i) {
      store_element<Code>(dst, i,
                          Arithmetic<Format>::quotient(load_element<Code>(dst, i), divisor));
    }
  });
}

}  // namespace

void accumulate_elements(VectorLevel level, DataType type, ReduceOp op, std::byte* dst,
                         const std::byte* src, std::size_t count) {
  run_kernel<accumulate_kernel>(level, type, op, dst, src, count);
}

void divide_elements(VectorLevel level, DataType type, std::byte* dst, std::size_t count,
                     int divisor) {
  run_kernel<divide_kernel>(level, type, dst, count, divisor);
}

}  // namespace reducelab
