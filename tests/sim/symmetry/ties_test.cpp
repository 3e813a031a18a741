#include <gtest/gtest.h>

#include "sim/symmetry/alike_ranks.h"

namespace reducelab {
namespace {

using TieWatch = AlikeRanks::TieWatch;

TEST(TieWatch, SeesThatOneOfTwoSourcesHasToWaitForTheOther) {
  TieWatch watch;
  watch.ask(1, 5.0, 5.0);
  EXPECT_FALSE(watch.seen());
  watch.ask(2, 5.0, 6.0);
  EXPECT_TRUE(watch.seen());
}

TEST(TieWatch, TakesTimesThatRoundingTellsApartForOne) {
  TieWatch watch;
  watch.ask(1, 5.0, 5.0);
  watch.ask(2, 5.0 * (1 + 1e-13), 6.0);
  EXPECT_TRUE(watch.seen());
}

TEST(TieWatch, LooksBackPastFurtherRequestsOfTheSameSource) {
  TieWatch watch;
  watch.ask(1, 5.0, 5.0);
  watch.ask(2, 5.0, 5.0);
  watch.ask(2, 5.0, 6.0);
  EXPECT_TRUE(watch.seen());
}

TEST(TieWatch, IsContentWhereAnOrderIsGiven) {
  TieWatch watch;
  watch.ask(1, 0, 0);
  watch.ask(1, 0, 1);    // one source's requests come in its own order
  watch.ask(2, 0.5, 2);  // a later one
  watch.ask(3, 2.5, 2.5);
  watch.ask(4, 2.5, 2.5);  // at the same time, but nobody waits
  EXPECT_FALSE(watch.seen());
}

}  // namespace
}  // namespace reducelab
