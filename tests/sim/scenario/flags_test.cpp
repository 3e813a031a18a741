#include <gmock/gmock.h>

#include "sim/scenario/scenario_flags.h"
#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ScenarioFlags, SlowRank) {
  EXPECT_EQ(parse_slow_rank_flag("3:1.5"), (SlowRank{one_rank(3), 1.5, {}, {}, {}}));
  const SlowRank slow = parse_slow_rank_flag("0-3,7:2:overhead");
  EXPECT_EQ(slow.ranks, parse_rank_set("0-3,7"));
  EXPECT_TRUE(slow.resources.contains(Resource::overhead));
  EXPECT_FALSE(slow.resources.contains(Resource::compute));
  EXPECT_TRUE(parse_slow_rank_flag("all:2:compute+reductions").ranks.all);
}

TEST(ScenarioFlags, SlowLink) {
  EXPECT_EQ(parse_slow_link_flag("h0->leaf0:0.5"), (SlowLink{{"h0->leaf0"}, 0.5, {}, 0, {}, {}}));
  EXPECT_EQ(parse_slow_link_flag("up:a->b:25Gbps"), (SlowLink{{"up:a->b"}, 1, 3.125e9, 0, {}, {}}));
  EXPECT_EQ(parse_slow_link_flag("rank 3:+5us"), (SlowLink{{"rank 3"}, 1, {}, 5e-6, {}, {}}));
}

TEST(ScenarioFlags, Fail) {
  EXPECT_EQ(std::get<Failure>(parse_fail_flag("rank:3@2ms")),
            (Failure{FailureKind::rank, 3, "", 2e-3, {}}));
  EXPECT_EQ(std::get<Failure>(parse_fail_flag("node:1@0")),
            (Failure{FailureKind::node, 1, "", 0, {}}));
  EXPECT_EQ(std::get<Failure>(parse_fail_flag("device:leaf0@1us")),
            (Failure{FailureKind::device, 0, "leaf0", 1e-6, {}}));
  EXPECT_EQ(std::get<LinkDown>(parse_fail_flag("link:a->b@1ms")),
            (LinkDown{{"a->b"}, 1e-3, kForever, {}}));
  EXPECT_EQ(std::get<LinkDown>(parse_fail_flag("link:a->b@1ms-2ms")),
            (LinkDown{{"a->b"}, 1e-3, 2e-3, {}}));
}

TEST(ScenarioFlags, FaultsShowTheFlagAndWhatIsWrong) {
  const auto slow_rank = [](const char* text) {
    return error_of([text] { parse_slow_rank_flag(text); });
  };
  EXPECT_EQ(slow_rank("3:0"), "--slow-rank 3:0: factor must be above 0, not 0");
  EXPECT_THAT(slow_rank("3:-2"), HasSubstr("factor must be above 0, not -2"));
  EXPECT_THAT(slow_rank("3:nan"), HasSubstr("factor must be above 0, not nan"));
  EXPECT_THAT(slow_rank("3"), HasSubstr("RANKS:FACTOR"));
  EXPECT_THAT(slow_rank("3:1:2:3"), HasSubstr("RANKS:FACTOR"));
  EXPECT_THAT(slow_rank("3:2:overheat"), HasSubstr("did you mean \"overhead\"?"));
  EXPECT_THAT(slow_rank("x:2"), HasSubstr("cannot read \"x\" as ranks"));

  const auto slow_link = [](const char* text) {
    return error_of([text] { parse_slow_link_flag(text); });
  };
  EXPECT_THAT(slow_link("a->b"), StartsWith("--slow-link a->b: write it like LINK:FACTOR"));
  EXPECT_THAT(slow_link("a->b:0"), HasSubstr("bandwidth_factor must be above 0, not 0"));
  EXPECT_THAT(slow_link("a->b:0Gbps"), HasSubstr("bandwidth must be above 0"));
  EXPECT_THAT(slow_link("a->b:fast"), HasSubstr("cannot read \"fast\" as a bandwidth"));

  const auto fail = [](const char* text) { return error_of([text] { parse_fail_flag(text); }); };
  EXPECT_THAT(fail("rank:3"), HasSubstr("KIND:NAME@TIME"));
  EXPECT_THAT(fail("rnak:3@1ms"), HasSubstr("did you mean \"rank\"?"));
  EXPECT_THAT(fail("rank:x@1ms"), HasSubstr("cannot read \"x\""));
  EXPECT_THAT(fail("rank:-3@1ms"), HasSubstr("rank must be 0 or more"));
  EXPECT_THAT(fail("rank:3@soon"), HasSubstr("cannot read \"soon\" as a duration"));
  EXPECT_THAT(fail("link:a->b@2ms-1ms"), HasSubstr("up is 0.001s, not after the start"));
}

}  // namespace
}  // namespace reducelab
