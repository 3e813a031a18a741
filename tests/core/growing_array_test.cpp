#include "core/growing_array.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace reducelab {
namespace {

TEST(GrowingArray, keeps_references_and_values_while_it_grows_past_a_huge_page) {
  GrowingArray<std::string> array;
  std::string& first = array.add();
  first = "first";
  constexpr std::size_t kMany = (std::size_t{8} << 20) / sizeof(std::string);
  for (std::size_t i = 1; i < kMany; ++i) array.add() = std::to_string(i);
  EXPECT_EQ(array.size(), kMany);
  EXPECT_EQ(&first, &array[0]);
  EXPECT_EQ(array[0], "first");
  for (std::size_t i = 1; i < kMany; i += 1009) EXPECT_EQ(array[i], std::to_string(i));
}

TEST(GrowingArray, makes_and_destroys_each_element_once) {
  const auto owner = std::make_shared<int>(1);
  {
    GrowingArray<std::shared_ptr<int>> array;
    for (int i = 0; i < 1000; ++i) array.add() = owner;
    EXPECT_EQ(owner.use_count(), 1001);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ReservedMemory, refuses_to_grow_past_its_reservation) {
  ReservedMemory memory(std::size_t{1} << 20);
  memory.grow(std::size_t{1} << 20);
  EXPECT_EQ(memory.data()[(1 << 20) - 1], std::byte{0});
  EXPECT_THROW(memory.grow((std::size_t{1} << 20) + 1), std::bad_alloc);
}

}  // namespace
}  // namespace reducelab
