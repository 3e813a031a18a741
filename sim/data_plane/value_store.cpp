#include "sim/data_plane/value_store.h"

#include <limits>

#include "algorithms/execution/execution.h"
#include "core/error.h"
#include "cuda_exec/element.h"

namespace reducelab {
namespace {

template <class Format>
typename Format::Code identity_of(ReduceOp op) {
  using Code = typename Format::Code;
  if constexpr (is_integer_format<Format>) {
    using Limits = std::numeric_limits<typename Format::Value>;
    switch (op) {
      case ReduceOp::prod:
        return Code{1};
      case ReduceOp::min:
        return static_cast<Code>(Limits::max());
      case ReduceOp::max:
        return static_cast<Code>(Limits::lowest());
      case ReduceOp::sum:
      case ReduceOp::avg:
        break;
    }
    return Code{0};
  } else {
    switch (op) {
      case ReduceOp::prod:
        return Format::encode(1.0F);
      case ReduceOp::min:
        return Format::largest_non_nan;
      case ReduceOp::max:
        return static_cast<Code>(Format::largest_non_nan | Format::sign_mask);
      case ReduceOp::sum:
      case ReduceOp::avg:
        break;
    }
    return Code{0};
  }
}

}  // namespace

void fill_identity(DataType type, ReduceOp op, std::span<std::byte> out) {
  with_format(type, [&]<class Format>(Format) {
    const auto code = identity_of<Format>(op);
    const std::size_t count = out.size() / sizeof(code);
    for (std::size_t i = 0; i < count; ++i) store_element(out.data(), i, code);
  });
}

std::string describe_range(const World& world, int participant, const Range& range) {
  return fmt::format("[{}, {}){} of {}", range.first, range.end(),
                     range.buffer ? fmt::format(" of scratch {}", range.buffer) : std::string(),
                     participant_name(world, participant));
}

}  // namespace reducelab
