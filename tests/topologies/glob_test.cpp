#include "topologies/glob.h"

#include <gtest/gtest.h>

namespace reducelab {
namespace {

TEST(Glob, StarStandsForAnyTextAndQuestionMarkForOneCharacter) {
  EXPECT_TRUE(matches_glob("a->b", "a->b"));
  EXPECT_FALSE(matches_glob("a->b", "a->bc"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("n?.nic3->*", "n0.nic3->leaf3"));
  EXPECT_FALSE(matches_glob("n?.nic3->*", "n10.nic3->leaf3"));
  EXPECT_TRUE(matches_glob("*a*ab*", "xaxaab"));
  EXPECT_FALSE(matches_glob("*ab", "aba"));
  EXPECT_FALSE(matches_glob("?", ""));
}

}  // namespace
}  // namespace reducelab
