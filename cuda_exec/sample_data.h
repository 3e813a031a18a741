#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data_type.h"

namespace reducelab {

/// Fills `out` with elements `first_element`, `first_element + 1`, ... of the test vector of
/// `rank`. An element depends on (type, op, seed, rank, its index) alone, and is exact in the type:
/// - sum and avg, floating: uniform in [0.5, 1.5), so that results do not cancel and relative
///   error means something; float16 sums stay finite up to 43000 ranks;
/// - min and max, floating: the same with a random sign; integers: any value of the type;
/// - prod, floating: within 1/16 of +-1 (FP8: one unit), so that products neither overflow nor
///   vanish; integers: odd, -15 to 15, so that they stay odd however often they wrap;
/// - sum and avg, integers: -8 to 7 for int8, -32768 to 32767 for the others.
/// Throws an Error with code `bug` if `out` is not a whole number of elements or an index is
/// negative.
void fill(DataType type, ReduceOp op, std::uint64_t seed, int rank, std::int64_t first_element,
          std::span<std::byte> out);

}  // namespace reducelab
