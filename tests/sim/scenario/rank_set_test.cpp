#include "sim/scenario/rank_set.h"

#include <gmock/gmock.h>

#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RankSet, ReadsNumbersRangesAndAll) {
  EXPECT_THAT(ranks_of(parse_rank_set("3"), 8), ElementsAre(3));
  EXPECT_THAT(ranks_of(parse_rank_set("5, 0-2"), 8), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(ranks_of(parse_rank_set("all"), 3), ElementsAre(0, 1, 2));
}

TEST(RankSet, EqualSetsAreEqualHoweverWritten) {
  EXPECT_EQ(parse_rank_set("4,0-1,2-3,3"), parse_rank_set("0-4"));
  EXPECT_EQ(format_rank_set(parse_rank_set("9,4,0-1,2-3,3")), "0-4,9");
  EXPECT_EQ(parse_rank_set(format_rank_set(parse_rank_set("all"))), parse_rank_set("all"));
}

TEST(RankSet, RefusesWhatIsNoSet) {
  for (const char* text : {"", "x", "-1", "1-", "3-1", "1,,2", "1.5", "99999999999"}) {
    EXPECT_THAT(error_of([&] { parse_rank_set(text); }), HasSubstr("rank")) << text;
  }
}

TEST(RankSet, NamesTheRankThatIsMissing) {
  EXPECT_EQ(error_of([] { ranks_of(parse_rank_set("9"), 8); }),
            "there is no rank 9: this run has 8 ranks, 0 to 7");
  EXPECT_THAT(error_of([] { ranks_of(parse_rank_set("0-2000000000"), 8); }),
              HasSubstr("no rank 2000000000"));
}

}  // namespace
}  // namespace reducelab
