#include "core/data_type.h"

#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {
namespace {

struct TypeRow {
  DataType type;
  int size;
  std::string_view name;
  std::array<std::string_view, 3> aliases;
};

constexpr std::array<TypeRow, 9> kTypes{{
    {DataType::float64, 8, "double", {"fp64", "float64", "f64"}},
    {DataType::float32, 4, "float", {"fp32", "float32", "f32"}},
    {DataType::float16, 2, "half", {"fp16", "float16", "f16"}},
    {DataType::bfloat16, 2, "bfloat16", {"bf16", "", ""}},
    {DataType::fp8_e4m3, 1, "f8e4m3", {"fp8_e4m3", "fp8e4m3", "e4m3"}},
    {DataType::fp8_e5m2, 1, "f8e5m2", {"fp8_e5m2", "fp8e5m2", "e5m2"}},
    {DataType::int8, 1, "int8", {"i8", "", ""}},
    {DataType::int32, 4, "int32", {"i32", "int", ""}},
    {DataType::int64, 8, "int64", {"i64", "", ""}},
}};

constexpr std::array<DataType, 9> kAllTypes{
    DataType::float64,  DataType::float32,  DataType::float16,
    DataType::bfloat16, DataType::fp8_e4m3, DataType::fp8_e5m2,
    DataType::int8,     DataType::int32,    DataType::int64};
constexpr std::array<ReduceOp, 5> kAllOps{ReduceOp::sum, ReduceOp::avg, ReduceOp::prod,
                                          ReduceOp::min, ReduceOp::max};
constexpr std::array<std::string_view, 5> kOpNames{"sum", "avg", "prod", "min", "max"};

const TypeRow& row(DataType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

int size_of(DataType type) {
  return row(type).size;
}
std::string_view name_of(DataType type) {
  return row(type).name;
}
std::string_view name_of(ReduceOp op) {
  return kOpNames[static_cast<std::size_t>(op)];
}

bool is_floating(DataType type) {
  return type != DataType::int8 && type != DataType::int32 && type != DataType::int64;
}

DataType parse_data_type(std::string_view text) {
  std::vector<std::string_view> names;
  for (const TypeRow& candidate : kTypes) {
    if (text == candidate.name) return candidate.type;
    names.push_back(candidate.name);
    for (const std::string_view alias : candidate.aliases) {
      if (!alias.empty() && text == alias) return candidate.type;
    }
  }
  throw unknown_name("data type", text, names);
}

ReduceOp parse_reduce_op(std::string_view text) {
  for (const ReduceOp op : kAllOps) {
    if (text == name_of(op)) return op;
  }
  throw unknown_name("reduction", text, {kOpNames.begin(), kOpNames.end()});
}

std::span<const DataType> all_data_types() {
  return kAllTypes;
}
std::span<const ReduceOp> all_reduce_ops() {
  return kAllOps;
}

}  // namespace reducelab
