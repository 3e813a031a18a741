#pragma once

#include <cstddef>

#include "core/data_type.h"
#include "cuda_exec/vector_level.h"

namespace reducelab {

/// dst[i] = dst[i] op src[i] for `count` elements, as `Reducer::accumulate` defines it; unchecked.
void accumulate_elements(VectorLevel level, DataType type, ReduceOp op, std::byte* dst,
                         const std::byte* src, std::size_t count);

/// dst[i] = dst[i] / divisor for `count` elements, as `Reducer::divide` defines it; unchecked.
void divide_elements(VectorLevel level, DataType type, std::byte* dst, std::size_t count,
                     int divisor);

}  // namespace reducelab
