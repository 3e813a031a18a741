#include "experiments/worker/worker_pool.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunResult echo(const RunSpec& spec) {
  RunResult result;
  result.spec = spec;
  result.ranks = 1;
  result.time_s = static_cast<double>(spec.bytes);
  return result;
}

RunSpec job(std::int64_t bytes) {
  RunSpec spec;
  spec.bytes = bytes;
  return spec;
}

Error error_of(const Outcome& outcome) {
  if (const Error* error = std::get_if<Error>(&outcome)) return *error;
  ADD_FAILURE() << "a result where an error was expected";
  return usage_error("none");
}

TEST(WorkerPool, GivesOutcomesInTheOrderOfTheJobsWhicheverEndsFirst) {
  const std::vector<RunSpec> jobs{job(3), job(2), job(1), job(0), job(5)};
  for (const int at_once : {1, 2, 8}) {
    std::vector<std::int64_t> order;
    std::vector<std::size_t> progress;
    run_in_workers(jobs, at_once,
                   [](const RunSpec& spec) {
                     ::usleep(static_cast<useconds_t>(spec.bytes * 20'000));
                     return echo(spec);
                   },
                   {[&](std::size_t index, const Outcome& outcome) {
                      EXPECT_EQ(index, order.size());
                      order.push_back(std::get<RunResult>(outcome).spec.bytes);
                    },
                    [&](std::size_t finished) { progress.push_back(finished); }});
    EXPECT_THAT(order, ElementsAre(3, 2, 1, 0, 5));
    EXPECT_THAT(progress, ElementsAre(1, 2, 3, 4, 5));
  }
}

TEST(WorkerPool, EveryJobHasAProcessOfItsOwn) {
  int calls = 0;
  const auto count = [&](const RunSpec& spec) {
    RunResult result = echo(spec);
    result.ranks = ++calls;
    return result;
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::get<RunResult>(run_in_worker(job(1), count)).ranks, 1);
  }
  EXPECT_EQ(calls, 0);
}

TEST(WorkerPool, AnErrorCrossesTheProcessesWhole) {
  const Error error = error_of(run_in_worker(job(1), [](const RunSpec&) -> RunResult {
    throw Error(ErrorCode::failed, "deadlock", {"my.toml", 3, 4}).note("rank 3 waits");
  }));
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_STREQ(error.what(), "my.toml:3:4: deadlock (rank 3 waits)");
}

TEST(WorkerPool, AnyOtherExceptionIsABugOfOurs) {
  const Error error = error_of(run_in_worker(
      job(1), [](const RunSpec&) -> RunResult { throw std::out_of_range("index 9"); }));
  EXPECT_EQ(error.code(), ErrorCode::bug);
  EXPECT_THAT(error.what(), HasSubstr("index 9"));
}

TEST(WorkerPool, ACrashIsOneLineAndTheOthersGoOn) {
  const std::vector<RunSpec> jobs{job(1), job(11), job(2)};
  std::vector<Outcome> outcomes;
  run_in_workers(jobs, 2,
                 [](const RunSpec& spec) {
                   if (spec.bytes == 11) {
                     std::fputs("Access violation\n#0 main\n#1 start\n", stderr);
                     std::signal(SIGSEGV, SIG_DFL);
                     std::raise(SIGSEGV);
                   }
                   return echo(spec);
                 },
                 {[&](std::size_t, const Outcome& outcome) { outcomes.push_back(outcome); }, {}});
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<RunResult>(outcomes[0]));
  EXPECT_TRUE(std::holds_alternative<RunResult>(outcomes[2]));
  const Error error = error_of(outcomes[1]);
  EXPECT_EQ(error.exit_code(), 70);
  EXPECT_THAT(error.what(), HasSubstr("the simulation process was killed by signal 11"));
  EXPECT_THAT(error.what(), HasSubstr("it printed: Access violation"));
  EXPECT_THAT(error.what(), testing::Not(HasSubstr("main")));
}

TEST(WorkerPool, AKillFromOutsideIsAFailedRun) {
  const Error error = error_of(run_in_worker(job(1), [](const RunSpec& spec) {
    std::raise(SIGKILL);
    return echo(spec);
  }));
  EXPECT_EQ(error.exit_code(), 4);
  EXPECT_THAT(error.what(), HasSubstr("out of memory?"));
}

TEST(WorkerPool, AnEndWithoutAWordIsABugOfOurs) {
  const Error error =
      error_of(run_in_worker(job(1), [](const RunSpec&) -> RunResult { ::_exit(9); }));
  EXPECT_EQ(error.exit_code(), 70);
  EXPECT_THAT(error.what(), HasSubstr("ended with exit code 9 and no result"));
}

TEST(WorkerPool, WhatALibraryPrintsDoesNotMixWithTheResult) {
  const Outcome outcome = run_in_worker(job(7), [](const RunSpec& spec) {
    std::puts("{\"event\":\"result\"}");
    std::fflush(stdout);
    return echo(spec);
  });
  ASSERT_TRUE(std::holds_alternative<RunResult>(outcome));
  EXPECT_EQ(std::get<RunResult>(outcome).spec.bytes, 7);
}

TEST(WorkerPool, AResultLargerThanAPipeComesWhole) {
  const Outcome outcome = run_in_worker(job(1), [](const RunSpec& spec) {
    RunResult result = echo(spec);
    result.explanation.emplace().path.assign(20'000, {"rank 0 -> rank 1", "a->b", 0, 1});
    return result;
  });
  ASSERT_TRUE(std::holds_alternative<RunResult>(outcome));
  EXPECT_EQ(std::get<RunResult>(outcome).explanation->path.size(), 20'000u);
}

TEST(WorkerPool, AListenerThatThrowsLeavesNoProcessBehind) {
  struct Stop {};
  const std::vector<RunSpec> jobs{job(0), job(1), job(1)};
  const auto simulation = [](const RunSpec& spec) {
    if (spec.bytes > 0) ::pause();
    return echo(spec);
  };
  EXPECT_THROW(
      run_in_workers(jobs, 3, simulation, {[](std::size_t, const Outcome&) { throw Stop{}; }, {}}),
      Stop);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is still there";
}

}  // namespace
}  // namespace reducelab
