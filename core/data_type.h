#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reducelab {

/// Element types of a vector, named as nccl-tests names them where it has a name.
enum class DataType : std::uint8_t {
  float64,
  float32,
  float16,
  bfloat16,
  fp8_e4m3,
  fp8_e5m2,
  int8,
  int32,
  int64
};

/// Reduction operations.
enum class ReduceOp : std::uint8_t { sum, avg, prod, min, max };

/// Bytes of one element.
int size_of(DataType type);
/// Canonical name: `double`, `float`, `half`, `bfloat16`, `f8e4m3`, `f8e5m2`, `int8`, `int32`,
/// `int64`.
std::string_view name_of(DataType type);
std::string_view name_of(ReduceOp op);
/// True for every type that is not an integer.
bool is_floating(DataType type);

/// Accepts canonical names and the usual aliases (fp32, float32, f64, fp16, bf16, e4m3, ...).
DataType parse_data_type(std::string_view text);
ReduceOp parse_reduce_op(std::string_view text);

std::span<const DataType> all_data_types();
std::span<const ReduceOp> all_reduce_ops();

}  // namespace reducelab
