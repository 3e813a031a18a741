#include "sim/trace/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "tests/sim/trace/built_trace.h"

namespace reducelab {
namespace {

using test::BuiltTrace;
using test::Phases;
using testing::ElementsAre;
constexpr double us = test::kMicrosecond;

std::vector<std::string> steps_of(const Explanation& explanation) {
  std::vector<std::string> steps;
  for (const PathStep& step : explanation.path) steps.push_back(step.what);
  return steps;
}

constexpr Phases kPlain{.send_overhead_s = 0.1 * us,
                        .handshake_s = 0.2 * us,
                        .full_rate_s = 4 * us,
                        .latency_s = 0.5 * us,
                        .receive_overhead_s = 0.3 * us};

TEST(Explain, ChainOfTwoMessagesIsThePathAndItsPhasesAreTheSplit) {
  BuiltTrace built(4, 7 * us);
  const OpSerial first = built.message(0, 1, 4096, kPlain).recv;
  built.message(1, 2, 4096, kPlain, first);
  built.message(3, 2, 1024, {.full_rate_s = 1 * us});  // early, on no one's way
  const Explanation explanation = explain(built.trace);
  EXPECT_THAT(steps_of(explanation),
              ElementsAre("rank 0 -> rank 1, 4KiB", "rank 1 -> rank 2, 4KiB"));
  EXPECT_NEAR(explanation.path[0].begin_s, 7 * us, 1e-18);
  EXPECT_NEAR(explanation.path[0].end_s, 12.1 * us, 1e-18);
  EXPECT_EQ(explanation.path[0].end_s, explanation.path[1].begin_s);
  EXPECT_NEAR(explanation.path[1].end_s, 17.2 * us, 1e-18);
  const TimeSplit& split = explanation.split;
  EXPECT_DOUBLE_EQ(split.floor_s, 7 * us);
  EXPECT_NEAR(split.overhead_s, 2 * 0.4 * us, 1e-18);
  EXPECT_NEAR(split.latency_s, 2 * 0.7 * us, 1e-18);
  EXPECT_NEAR(split.bytes_s, 8 * us, 1e-18);
  EXPECT_NEAR(split.sharing_s, 0, 1e-18);
  EXPECT_NEAR(split.queueing_s, 0, 1e-18);
  EXPECT_NEAR(split.slow_rank_s, 0, 1e-18);
  EXPECT_EQ(split.reduction_s, 0);
  EXPECT_NEAR(split.total_s(), built.trace.end_s, 1e-18);
}

TEST(Explain, SecondMessageOfAConnectionFollowsTheSendAndNotTheArrivalOfTheFirst) {
  BuiltTrace built(2);
  const Phases slice{.full_rate_s = 1 * us, .latency_s = 10 * us};
  const OpSerial sent = built.message(0, 1, 1000, slice).send;
  built.message(0, 1, 2000, slice, sent);
  const Explanation explanation = explain(built.trace);
  EXPECT_THAT(steps_of(explanation),
              ElementsAre("rank 0 -> rank 1, 1000B", "rank 0 -> rank 1, 2000B"));
  EXPECT_NEAR(explanation.path[0].end_s, 1 * us, 1e-18);
  EXPECT_NEAR(explanation.split.bytes_s, 2 * us, 1e-18);
  EXPECT_NEAR(explanation.split.latency_s, 10 * us, 1e-18);  // of the second alone
}

TEST(Explain, ReductionThatQueuesForTheRankIsQueueing) {
  BuiltTrace built(2);
  Phases phases = kPlain;
  phases.reduce_queue_s = 2 * us;
  phases.reduce_s = 3 * us;
  built.message(0, 1, 4096, phases);
  const Explanation explanation = explain(built.trace);
  EXPECT_THAT(steps_of(explanation), ElementsAre("rank 0 -> rank 1, 4KiB", "rank 1 reduces 4KiB"));
  EXPECT_EQ(explanation.path[1].resource, "rank 1");
  EXPECT_NEAR(explanation.split.queueing_s, 2 * us, 1e-18);
  EXPECT_NEAR(explanation.split.reduction_s, 3 * us, 1e-18);
  EXPECT_NEAR(explanation.split.total_s(), built.trace.end_s, 1e-18);
}

TEST(Explain, ReductionThatWaitsForItsRangeLeadsToWhatHeldTheRange) {
  BuiltTrace built(2);
  const OpSerial copy = built.local(1, OpKind::copy, 1 << 20, 0, 50 * us);
  Phases phases = kPlain;
  phases.reduce_s = 3 * us;
  built.message(0, 1, 4096, phases, 0, copy);
  const Explanation explanation = explain(built.trace);
  EXPECT_THAT(steps_of(explanation), ElementsAre("rank 1 copy 1MiB", "rank 1 reduces 4KiB"));
  EXPECT_NEAR(explanation.split.reduction_s, 53 * us, 1e-18);
  EXPECT_EQ(explanation.split.bytes_s, 0);
  EXPECT_NEAR(explanation.split.total_s(), 53 * us, 1e-18);
}

TEST(Explain, PlainReceiveThatWaitsForItsRangeTakesNoTimeOfItsOwn) {
  BuiltTrace built(3);
  const OpSerial sent = built.message(1, 2, 1000, {.full_rate_s = 90 * us}).send;
  built.message(0, 1, 4096, kPlain, 0, sent);
  const Explanation explanation = explain(built.trace);
  EXPECT_NEAR(explanation.split.bytes_s, 90 * us, 1e-18);
  EXPECT_NEAR(explanation.split.total_s(), 90 * us, 1e-18);
}

TEST(Explain, QueueingForOverheadsIsApartFromTheOverheads) {
  BuiltTrace built(2);
  Phases phases = kPlain;
  phases.send_queue_s = 1.5 * us;
  phases.receive_queue_s = 2.5 * us;
  built.message(0, 1, 4096, phases);
  const TimeSplit split = explain(built.trace).split;
  EXPECT_NEAR(split.queueing_s, 4 * us, 1e-18);
  EXPECT_NEAR(split.overhead_s, 0.4 * us, 1e-18);
  EXPECT_NEAR(split.total_s(), built.trace.end_s, 1e-18);
}

TEST(Explain, TimeBeyondTheFullRateIsSharing) {
  BuiltTrace built(2);
  Phases phases = kPlain;
  phases.sharing_s = 4 * us;
  built.message(0, 1, 4096, phases);
  const TimeSplit split = explain(built.trace).split;
  EXPECT_NEAR(split.bytes_s, 4 * us, 1e-18);
  EXPECT_NEAR(split.sharing_s, 4 * us, 1e-18);
  EXPECT_NEAR(split.total_s(), built.trace.end_s, 1e-18);
}

TEST(Explain, SlowRankIsChargedForWhatItAddsToItsOwnWorkOnly) {
  BuiltTrace built(2);
  built.slowness_of[1] = 3;
  Phases phases = kPlain;
  phases.reduce_s = 5 * us;
  const OpSerial first = built.message(0, 1, 4096, phases).recv;  // 2 x (0.3 + 5) us
  const OpSerial local = built.local(1, OpKind::reduce, 4096, 1 * us, 2 * us, first);  // 2 x 2 us
  built.message(1, 0, 4096, kPlain, local);                                            // 2 x 0.1 us
  const TimeSplit split = explain(built.trace).split;
  EXPECT_NEAR(split.slow_rank_s, (10.6 + 4 + 0.2) * us, 1e-18);
  EXPECT_NEAR(split.overhead_s, 0.8 * us, 1e-18);
  EXPECT_NEAR(split.reduction_s, 7 * us, 1e-18);
  EXPECT_NEAR(split.queueing_s, 1 * us, 1e-18);
  EXPECT_NEAR(split.total_s(), built.trace.end_s, 1e-18);
}

TEST(Explain, NarrowestLinkOfTheRouteIsTheResourceOfAMessage) {
  BuiltTrace built(2);
  built.trace.links[3].bandwidth_bytes_per_s = 1e8;  // down 1
  const OpSerial there = built.message(0, 1, 1000, kPlain).recv;
  const OpSerial back = built.message(1, 0, 1000, kPlain, there).recv;
  built.trace.routes.push_back({});
  built.message(0, 0, 1000, kPlain, back);
  built.trace.messages.back().route = static_cast<std::uint32_t>(built.trace.routes.size() - 1);
  const Explanation explanation = explain(built.trace);
  ASSERT_EQ(explanation.path.size(), 3U);
  EXPECT_EQ(explanation.path[0].resource, "down 1");
  EXPECT_EQ(explanation.path[1].resource, "up 1");
  EXPECT_EQ(explanation.path[2].resource, "local copy");
}

TEST(Explain, BusiestLinksComeFirstWithTheirShareOfTheWholeRun) {
  BuiltTrace built(3, 0, 1e9);
  const OpSerial first = built.message(0, 2, 3000, {.full_rate_s = 3 * us}).recv;
  built.message(1, 2, 1000, {.full_rate_s = 1 * us, .latency_s = 4 * us}, first);  // ends at 8 us
  const Explanation explanation = explain(built.trace);
  ASSERT_EQ(explanation.busiest_links.size(), 3U);
  EXPECT_EQ(explanation.busiest_links[0].link, "down 2");
  EXPECT_EQ(explanation.busiest_links[0].bytes, 4000);
  EXPECT_NEAR(explanation.busiest_links[0].load, 0.5, 1e-12);
  EXPECT_EQ(explanation.busiest_links[1].link, "up 0");
  EXPECT_NEAR(explanation.busiest_links[1].load, 3.0 / 8, 1e-12);
  EXPECT_EQ(explanation.busiest_links[2].link, "up 1");
}

TEST(Explain, RunWithoutOperationsIsAllFloor) {
  const BuiltTrace built(1, 6.6 * us);
  const Explanation explanation = explain(built.trace);
  EXPECT_TRUE(explanation.path.empty());
  EXPECT_TRUE(explanation.busiest_links.empty());
  EXPECT_EQ(explanation.split.total_s(), built.trace.end_s);
}

TEST(Explain, OperationsThatWaitForEachOtherAreABugOfOurs) {
  BuiltTrace built(2);
  const OpSerial recv = built.message(0, 1, 1000, kPlain).recv;
  built.trace.messages[0].start_cause = recv;
  EXPECT_THROW(explain(built.trace), Error);
}

TEST(Explain, CauseWithoutARecordIsABugOfOurs) {
  BuiltTrace built(2);
  built.message(0, 1, 1000, kPlain);
  built.trace.messages[0].start_cause = 1'000'000;
  EXPECT_THROW(explain(built.trace), Error);
}

TEST(Explain, SplitAddsUpToTheWholeTimeOfRandomRunsAndThePathIsUnbroken) {
  std::mt19937 random(5);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  const auto time_s = [&] { return below(3) == 0 ? 0.0 : below(1000) * 1e-9; };
  for (int run = 0; run < 200; ++run) {
    BuiltTrace built(5, time_s());
    for (double& factor : built.slowness_of) factor = 1 + below(3);
    const int operations = 1 + below(60);
    for (int i = 0; i < operations; ++i) {
      // Late causes, so that chains get long.
      const auto made = static_cast<int>(built.operations());
      const auto cause = static_cast<OpSerial>(made - below(std::min(made, 6) + 1));
      if (below(4) == 0) {
        built.local(below(5), OpKind::copy, 100, time_s(), time_s(), cause);
        continue;
      }
      const Phases phases{time_s(), time_s(), time_s(), time_s(), time_s(), time_s(),
                          time_s(), time_s(), 0,        time_s(), time_s()};
      const auto range_cause = static_cast<OpSerial>(below(made + 1));
      built.message(below(5), below(5), 100, phases, cause, range_cause);
    }
    const Explanation explanation = explain(built.trace);
    EXPECT_NEAR(explanation.split.total_s(), built.trace.end_s, 1e-12 * built.trace.end_s);
    ASSERT_FALSE(explanation.path.empty());
    EXPECT_NEAR(explanation.path.front().begin_s, built.trace.floor_s, 1e-18);
    EXPECT_NEAR(explanation.path.back().end_s, built.trace.end_s, 1e-18);
    for (std::size_t i = 1; i < explanation.path.size(); ++i) {
      EXPECT_NEAR(explanation.path[i].begin_s, explanation.path[i - 1].end_s, 1e-17);
    }
  }
}

}  // namespace
}  // namespace reducelab
