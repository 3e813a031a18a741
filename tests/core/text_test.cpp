#include "core/text.h"

#include <gmock/gmock.h>

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string_view> kNames{"ring", "linear", "recursive-doubling", "rabenseifner"};

TEST(NearestName, FindsTheNameThatWasMeant) {
  EXPECT_EQ(nearest_name("rign", kNames), "ring");
  EXPECT_EQ(nearest_name("rng", kNames), "ring");
  EXPECT_EQ(nearest_name("RING", kNames), "ring");
  EXPECT_EQ(nearest_name("lineer", kNames), "linear");
  EXPECT_EQ(nearest_name("recursive_doubling", kNames), "recursive-doubling");
  EXPECT_EQ(nearest_name("rabenseiffer", kNames), "rabenseifner");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("butterfly", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("ring", {}), "");
  // Two of three letters wrong is another word, not a slip.
  EXPECT_EQ(nearest_name("abc", {"avg"}), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'r'), kNames), "");
}

TEST(NearestName, TakesTheNearestOfSeveralAndTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("latencu", {"latencies", "latency"}), "latency");
  EXPECT_EQ(nearest_name("mix", {"min", "max"}), "min");
}

TEST(UnknownName, IsAUsageErrorWithPlaceGuessAndList) {
  const Error error = unknown_name("key", "latncy", {"latency", "bandwidth"}, {"a.toml", 3, 1});
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_STREQ(error.what(),
               "a.toml:3:1: unknown key \"latncy\"; did you mean \"latency\"? (one of: latency, "
               "bandwidth)");
  EXPECT_STREQ(unknown_name("key", "x", {}).what(), "unknown key \"x\"");
}

TEST(Split, KeepsEmptyPartsBetweenSeparators) {
  EXPECT_THAT(split("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(split(",a,,", ','), ElementsAre("", "a", "", ""));
  EXPECT_THAT(split("abc", ','), ElementsAre("abc"));
  EXPECT_THAT(split("", ','), IsEmpty());
}

TEST(Trim, TakesBlanksFromBothEndsOnly) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

}  // namespace
}  // namespace reducelab
