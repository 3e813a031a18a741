#include "sim/data_plane/action_log.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>

#include "core/error.h"

namespace reducelab {
namespace {

Action numbered(std::uint32_t number) {
  Action action;
  action.message = number;
  return action;
}

TEST(ActionLog, PerformsEveryActionOnceInOrder) {
  std::vector<std::uint32_t> seen;
  ActionLog log([&](std::span<const Action> actions) {
    for (const Action& action : actions) seen.push_back(action.message);
  });
  constexpr std::uint32_t kActions = 100'001;
  for (std::uint32_t i = 0; i < kActions; ++i) log.push(numbered(i), 10);
  log.finish();
  ASSERT_EQ(seen.size(), kActions);
  for (std::uint32_t i = 0; i < kActions; ++i) ASSERT_EQ(seen[i], i);
}

TEST(ActionLog, GoesOnAfterFinish) {
  int performed = 0;
  ActionLog log(
      [&](std::span<const Action> actions) { performed += static_cast<int>(actions.size()); });
  for (int round = 1; round <= 3; ++round) {
    for (std::uint32_t i = 0; i < 3000; ++i) log.push(numbered(i), 10);
    log.finish();
    EXPECT_EQ(performed, 3000 * round);
  }
}

TEST(ActionLog, FewActionsStayInTheCallingThread) {
  std::thread::id performer;
  ActionLog log([&](std::span<const Action>) { performer = std::this_thread::get_id(); });
  for (std::uint32_t i = 0; i < 100; ++i) log.push(numbered(i), 10);
  log.finish();
  EXPECT_EQ(performer, std::this_thread::get_id());
}

TEST(ActionLog, ManyBytesGoToAnotherThread) {
  std::vector<std::thread::id> performers;
  ActionLog log([&](std::span<const Action>) { performers.push_back(std::this_thread::get_id()); });
  log.push(numbered(0), 1 << 30);
  log.finish();
  ASSERT_FALSE(performers.empty());
  EXPECT_NE(performers.front(), std::this_thread::get_id());
}

TEST(ActionLog, ErrorOfTheThreadComesOutOfPushAndOfFinish) {
  ActionLog log([](std::span<const Action>) { throw run_error("no such element"); });
  const auto push_for_ever = [&] {
    for (;;) log.push(numbered(0), 1 << 20);
  };
  EXPECT_THROW(push_for_ever(), Error);
  EXPECT_THROW(log.finish(), Error);
  EXPECT_THROW(log.finish(), Error);
}

TEST(ActionLog, ErrorInTheCallingThreadComesOutOfEveryFinish) {
  ActionLog log([](std::span<const Action>) { throw run_error("no such element"); });
  log.push(numbered(0), 10);
  EXPECT_THROW(log.finish(), Error);
  EXPECT_THROW(log.finish(), Error);
}

TEST(ActionLog, DestructionDropsWhatWaitsAndEndsTheThread) {
  std::atomic<int> performed = 0;
  std::atomic<bool> go = false;
  {
    ActionLog log([&](std::span<const Action> actions) {
      while (!go) std::this_thread::yield();
      performed += static_cast<int>(actions.size());
    });
    for (std::uint32_t i = 0; i < 8 * 1024; ++i) log.push(numbered(i), 10);
    go = true;
  }
  EXPECT_EQ(performed % 1024, 0);  // whole chunks, and none after the destructor
  const int after = performed;
  std::this_thread::yield();
  EXPECT_EQ(performed, after);
}

TEST(ActionLog, WaitsForTheThreadWhenItIsFarBehind) {
  // One chunk in the thread's hands and sixteen waiting: the next one must wait for the first.
  std::atomic<int> started = 0;
  ActionLog log([&](std::span<const Action>) {
    ++started;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  for (int chunk = 1; chunk <= 40; ++chunk) {
    for (std::uint32_t i = 0; i < 1024; ++i) log.push(numbered(i), 10);
    EXPECT_GE(started, chunk - 17);
  }
  log.finish();
}

}  // namespace
}  // namespace reducelab
