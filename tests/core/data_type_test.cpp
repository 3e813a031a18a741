#include "core/data_type.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DataTypes, NamesSizesAndKindsAreTheKnownOnes) {
  struct Known {
    std::string name;
    int bytes;
    bool floating;
  };
  const std::vector<Known> known{{"double", 8, true},   {"float", 4, true},  {"half", 2, true},
                                 {"bfloat16", 2, true}, {"f8e4m3", 1, true}, {"f8e5m2", 1, true},
                                 {"int8", 1, false},    {"int32", 4, false}, {"int64", 8, false}};
  ASSERT_EQ(all_data_types().size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const DataType type = all_data_types()[i];
    EXPECT_EQ(name_of(type), known[i].name);
    EXPECT_EQ(size_of(type), known[i].bytes) << known[i].name;
    EXPECT_EQ(is_floating(type), known[i].floating) << known[i].name;
    EXPECT_EQ(parse_data_type(known[i].name), type);
  }
}

TEST(DataTypes, AliasesMeanTheTypeTheyAreUsedForElsewhere) {
  EXPECT_EQ(parse_data_type("fp64"), DataType::float64);
  EXPECT_EQ(parse_data_type("float32"), DataType::float32);
  EXPECT_EQ(parse_data_type("fp16"), DataType::float16);
  EXPECT_EQ(parse_data_type("bf16"), DataType::bfloat16);
  EXPECT_EQ(parse_data_type("e4m3"), DataType::fp8_e4m3);
  EXPECT_EQ(parse_data_type("fp8_e5m2"), DataType::fp8_e5m2);
  EXPECT_EQ(parse_data_type("i8"), DataType::int8);
  EXPECT_EQ(parse_data_type("int"), DataType::int32);
  EXPECT_EQ(parse_data_type("i64"), DataType::int64);
}

TEST(DataTypes, AnUnknownNameGetsTheNearestAndTheList) {
  try {
    parse_data_type("flaot");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "unknown data type \"flaot\"; did you mean \"float\"?");
    EXPECT_THAT(error.what(), HasSubstr("one of: double, float, half, bfloat16"));
  }
  EXPECT_THROW(parse_data_type(""), Error);
}

TEST(ReduceOps, NamesReadBack) {
  std::vector<std::string_view> names;
  for (const ReduceOp op : all_reduce_ops()) {
    names.push_back(name_of(op));
    EXPECT_EQ(parse_reduce_op(name_of(op)), op);
  }
  EXPECT_THAT(names, ElementsAre("sum", "avg", "prod", "min", "max"));
  EXPECT_THROW(parse_reduce_op("mean"), Error);
}

}  // namespace
}  // namespace reducelab
