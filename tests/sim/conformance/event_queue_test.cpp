#include "sim/flow/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"

namespace reducelab {
namespace {

struct Pushed {
  double time_s;
  std::uint64_t what;
};

void sort_as_due(std::vector<Pushed>& events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Pushed& a, const Pushed& b) { return a.time_s < b.time_s; });
}

/// Pushes and pops at random; `times` distinct times ahead make many or few events simultaneous.
void compare_with_a_stable_sort(std::uint64_t seed, int times) {
  const RandomStream stream(seed, RandomPurpose::test, 0);
  std::uint64_t drawn = 0;
  EventQueue queue;
  std::vector<Pushed> expected;
  double now_s = 0;
  std::uint64_t pushed = 0;
  for (int step = 0; step < 2000; ++step) {
    if (expected.empty() || stream.uniform(drawn++) < 0.52) {
      const double time_s = now_s + std::floor(stream.uniform(drawn++) * times);
      queue.push(time_s, {++pushed, static_cast<std::uint32_t>(pushed % 7)});
      expected.push_back({time_s, pushed});
      continue;
    }
    sort_as_due(expected);
    ASSERT_EQ(queue.next_s(), expected.front().time_s);
    now_s = queue.next_s();
    const std::size_t at_hand = queue.at_hand();
    ASSERT_GE(at_hand, 1u);
    for (std::size_t i = 0; i < at_hand; ++i) ASSERT_EQ(queue.peek(i).what, expected[i].what);
    const EventQueue::Event event = queue.pop();
    ASSERT_EQ(event.what, expected.front().what);
    ASSERT_EQ(event.tag, event.what % 7);
    expected.erase(expected.begin());
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

TEST(EventQueue, gives_events_in_order_of_time_and_those_of_one_time_in_order_of_insertion) {
  for (const int times : {1, 2, 5, 20, 1'000'000}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) compare_with_a_stable_sort(seed, times);
  }
}

TEST(EventQueue, an_event_for_now_goes_behind_those_that_wait_for_now) {
  EventQueue queue;
  for (std::uint64_t i = 1; i <= 3; ++i) queue.push(1.5, {i, 0});
  EXPECT_EQ(queue.pop().what, 1u);
  queue.push(1.5, {4, 0});
  EXPECT_EQ(queue.at_hand(), 3u);
  for (std::uint64_t i = 2; i <= 4; ++i) EXPECT_EQ(queue.pop().what, i);
  queue.push(1.5, {5, 0});
  EXPECT_EQ(queue.pop().what, 5u);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_s(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace reducelab
