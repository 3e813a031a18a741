#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/data_type.h"

namespace reducelab {

/// Does the arithmetic of a reduction on real buffers. Buffers need no alignment; the two of one
/// operation are of equal size, a whole number of elements, and do not overlap (otherwise an Error
/// with code `bug`). Every implementation gives the same bits, whatever the operand order:
/// - a result that is NaN is written as the type's one quiet NaN;
/// - min and max of floating types give NaN if either operand is NaN, and hold -0 < +0;
/// - 16- and 8-bit floating types compute in float32 and round once, to nearest even; FP8 results
///   beyond the range saturate (see number_formats.h);
/// - integers wrap on overflow.
class Reducer {
 public:
  enum class Kind : std::uint8_t { copy, accumulate };

  /// One operation of a batch.
  struct Operation {
    Kind kind;
    std::span<std::byte> dst;
    std::span<const std::byte> src;
  };

  virtual ~Reducer() = default;

  /// The name that `--reducer` takes, e.g. `cpu`.
  virtual std::string_view name() const = 0;

  /// dst[i] = dst[i] op src[i]; `avg` accumulates as a sum, and `divide` ends it.
  virtual void accumulate(DataType type, ReduceOp op, std::span<std::byte> dst,
                          std::span<const std::byte> src) = 0;

  /// dst[i] = dst[i] / divisor, correctly rounded (integers truncate toward zero); the last step
  /// of `avg`. The divisor is 1 to 2^24, otherwise an Error with code `bug`.
  virtual void divide(DataType type, std::span<std::byte> dst, int divisor) = 0;

  /// dst[i] = src[i], bit for bit.
  virtual void copy(std::span<std::byte> dst, std::span<const std::byte> src) = 0;

  /// Performs operations that are independent of one another, in any order; all are checked
  /// before the first is performed.
  virtual void run_batch(DataType type, ReduceOp op, std::span<const Operation> operations) = 0;
};

/// The reducer on the processor's vector units, in the calling thread.
std::unique_ptr<Reducer> make_cpu_reducer();

}  // namespace reducelab
