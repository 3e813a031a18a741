#include "sim/trace/link_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/trace/built_trace.h"

namespace reducelab {
namespace {

using test::BuiltTrace;
constexpr double us = test::kMicrosecond;

void expect_steps(const std::vector<LoadStep>& got, const std::vector<LoadStep>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i].time_s, expected[i].time_s, 1e-18) << i;
    EXPECT_NEAR(got[i].load, expected[i].load, 1e-12) << i;
  }
}

TEST(LinkLoad, MessageLoadsItsLinksWhileItsBytesMoveAndNoOther) {
  BuiltTrace built(3, 0, 1e9);
  built.message(0, 1, 500, {.send_overhead_s = 2 * us, .full_rate_s = 1 * us, .latency_s = 9 * us});
  const LinkLoads loads(built.trace);
  expect_steps(loads.of(0), {{2 * us, 0.5}, {3 * us, 0}});  // up 0
  expect_steps(loads.of(3), {{2 * us, 0.5}, {3 * us, 0}});  // down 1
  expect_steps(loads.of(1), {});
  expect_steps(loads.of(4), {});
}

TEST(LinkLoad, MessagesThatMoveAtOnceAddUp) {
  BuiltTrace built(3, 0, 1e9);
  built.message(0, 2, 800, {.full_rate_s = 4 * us});                             // 0.2
  built.message(1, 2, 600, {.send_overhead_s = 1 * us, .full_rate_s = 2 * us});  // 0.3
  expect_steps(LinkLoads(built.trace).of(5),                                     // down 2
               {{0, 0.2}, {1 * us, 0.5}, {3 * us, 0.2}, {4 * us, 0}});
}

TEST(LinkLoad, ChangesAtOneTimeAreOneStep) {
  BuiltTrace built(2, 0, 1e9);
  const OpSerial first = built.message(0, 1, 2000, {.full_rate_s = 2 * us}).send;
  const OpSerial second = built.message(0, 1, 2000, {.full_rate_s = 2 * us}, first).send;
  built.message(0, 1, 500, {.full_rate_s = 1 * us}, second);
  expect_steps(LinkLoads(built.trace).of(0), {{0, 1}, {4 * us, 0.5}, {5 * us, 0}});
}

TEST(LinkLoad, BytesOnTheWireCountAndNotThePayload) {
  BuiltTrace built(2, 0, 1e9);
  built.message(0, 1, 500, {.full_rate_s = 1 * us});
  built.trace.link_bytes[0] = 625;  // an efficiency of 0.8
  expect_steps(LinkLoads(built.trace).of(0), {{0, 0.625}, {1 * us, 0}});
}

TEST(LinkLoad, SumOfMeanRatesIsCutAtTheCapacity) {
  BuiltTrace built(3, 0, 1e9);
  // Each has the link alone for 1 us and shares it for 1 us, so each has a mean rate of 3/4.
  built.message(0, 2, 1500, {.full_rate_s = 1.5 * us, .sharing_s = 0.5 * us});
  built.message(1, 2, 1500,
                {.send_overhead_s = 1 * us, .full_rate_s = 1.5 * us, .sharing_s = 0.5 * us});
  expect_steps(LinkLoads(built.trace).of(5), {{0, 0.75}, {1 * us, 1}, {2 * us, 0.75}, {3 * us, 0}});
}

TEST(LinkLoad, MessagesWithoutATimeToMoveAndEmptyTracesLoadNothing) {
  BuiltTrace built(2, 0, 1e9);
  EXPECT_TRUE(LinkLoads(built.trace).of(0).empty());
  built.message(0, 1, 0, {.full_rate_s = 0});
  EXPECT_TRUE(LinkLoads(built.trace).of(0).empty());
}

}  // namespace
}  // namespace reducelab
