// What a misbehaving cluster does to a run, on both engines: against closed forms where there are
// some, and engine against engine.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "in_a_child.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kBytesPerS = 12.5e9;
constexpr double kLatency_s = 2e-6;

class Scenarios : public testing::TestWithParam<const char*> {
 protected:
  RunSpec spec(const std::string& scenario, int ranks = 8) const {
    RunSpec spec;
    spec.engine = GetParam();
    spec.topology = one_switch(ranks);
    spec.bytes = 1 << 20;
    spec.scenario = scenario;
    return spec;
  }
  Error failure(const RunSpec& spec) const {
    const Outcome outcome = run_in_worker(spec, simulate);
    const Error* error = std::get_if<Error>(&outcome);
    return error ? *error : Error(ErrorCode::bug, "there was no error");
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, Scenarios, testing::Values("simgrid", "flow"));

/// A ring whose step takes `bytes_per_s` for its blocks.
double ring_s(int ranks, double bytes, double bytes_per_s, double latency_s = kLatency_s) {
  return 2 * (ranks - 1) * (bytes / ranks / bytes_per_s + latency_s);
}

TEST_P(Scenarios, a_scenario_in_which_nothing_happens_changes_no_bit) {
  const RunResult plain = in_a_child(spec(""));
  EXPECT_EQ(in_a_child(spec("name = \"nothing\"")).time_s, plain.time_s);
  // Disturbances that never matter: after the end, or of a factor of one.
  EXPECT_EQ(
      in_a_child(spec("slow_link = [{ links = \"*\", bandwidth_factor = 0.5, from = \"1s\" }]"))
          .time_s,
      plain.time_s);
}

TEST_P(Scenarios, a_ring_runs_at_the_rate_of_its_one_slow_link) {
  const RunResult result =
      in_a_child(spec("slow_link = [{ links = \"rank 3\", bandwidth_factor = 0.25 }]"));
  // Blocks enter and leave rank 3 by slow links, one after the other around the ring; the ring
  // settles into the pace of the slow step.
  EXPECT_GE(result.time_s, 2 * 7 * ((1 << 20) / 8.0 / (kBytesPerS / 4)));
  EXPECT_LE(result.time_s, ring_s(8, 1 << 20, kBytesPerS / 4) * (1 + 1e-9));
}

TEST_P(Scenarios, a_link_that_is_down_for_a_while_delays_two_ranks_by_just_that) {
  RunSpec two = spec("", 2);
  two.algorithm = "one-shot";
  const double plain_s = in_a_child(two).time_s;
  two.scenario = "link_down = [{ links = \"rank 1\", at = \"10us\", up = \"1010us\" }]";
  EXPECT_NEAR(in_a_child(two).time_s, plain_s + 1e-3, 1e-9 * plain_s);
}

TEST_P(Scenarios, a_late_rank_shifts_a_run_that_needs_it_from_the_start) {
  const double plain_s = in_a_child(spec("", 2)).time_s;
  const RunResult late = [&] {
    RunSpec run = spec("arrival = [{ ranks = 1, times = [\"3ms\"] }]", 2);
    run.explain = true;
    return in_a_child(run);
  }();
  EXPECT_NEAR(late.time_s, plain_s + 3e-3, 1e-9 * plain_s);
  EXPECT_NEAR(late.explanation->split.late_start_s, 3e-3, 1e-12);
  ASSERT_EQ(late.explanation->stragglers.size(), 1u);
  EXPECT_EQ(late.explanation->stragglers[0].who, "rank 1");
  EXPECT_NEAR(late.explanation->stragglers[0].late_s, 3e-3, 1e-12);
}

TEST_P(Scenarios, extra_latency_on_a_path_is_paid_by_each_message_that_takes_it) {
  RunSpec two = spec("", 2);
  two.algorithm = "one-shot";
  const double plain_s = in_a_child(two).time_s;
  two.scenario = "slow_link = [{ links = \"rank 1\", extra_latency = \"5us\" }]";
  EXPECT_NEAR(in_a_child(two).time_s, plain_s + 5e-6, 1e-12);
}

TEST_P(Scenarios, a_flow_of_another_halves_the_share_of_ours_while_it_lasts) {
  RunSpec two = spec("", 3);
  two.ranks = 2;
  two.algorithm = "one-shot";
  two.explain = true;
  const double plain_s = in_a_child(two).time_s;
  // As many bytes as ours from the start: both take twice as long over the shared port.
  two.scenario =
      "traffic = [{ pattern = \"fixed\", from_device = \"h2\", to_device = \"h1\", bytes = "
      "\"1MiB\" }]";
  const RunResult shared = in_a_child(two);
  EXPECT_NEAR(shared.time_s, plain_s + (1 << 20) / kBytesPerS, 1e-9 * plain_s);
  const auto& links = shared.explanation->busiest_links;
  EXPECT_TRUE(std::any_of(links.begin(), links.end(),
                          [](const LinkUse& use) { return use.bytes == 2 << 20; }));
}

TEST_P(Scenarios, abort_says_who_failed_and_who_waits_for_whom) {
  const Error error = failure(
      spec("failure = [{ rank = 3, at = \"50us\" }]\nfailure_policy = { timeout = \"1ms\" }"));
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("a failure was detected after 1.05ms"));
  EXPECT_THAT(error.what(), HasSubstr("rank 3 has failed"));
  EXPECT_THAT(error.what(), HasSubstr("rank 4 waits to receive"));
}

TEST_P(Scenarios, shrink_gives_the_sum_over_the_survivors_and_counts_what_it_cost) {
  RunSpec run = spec(
      "failure = [{ rank = 3, at = \"50us\" }]\n"
      "failure_policy = { response = \"shrink\", timeout = \"1ms\", restart_cost = \"2ms\" }");
  run.data = DataMode::full;
  run.explain = true;
  const RunResult result = in_a_child(run);
  EXPECT_EQ(result.verified, true);
  ASSERT_EQ(result.recoveries.size(), 1u);
  const Recovery& recovery = result.recoveries[0];
  EXPECT_THAT(recovery.failed, ElementsAre("rank 3"));
  EXPECT_EQ(recovery.ranks, 7);
  EXPECT_NEAR(recovery.detected_at_s, 1.05e-3, 1e-12);
  EXPECT_NEAR(recovery.resumed_at_s, 3.05e-3, 1e-12);
  EXPECT_NEAR(result.explanation->split.recovery_s, 3.05e-3, 1e-9);
  EXPECT_NEAR(result.explanation->split.total_s(), result.time_s, 1e-9 * result.time_s);
  // The second attempt is a plain run over 7 ranks.
  RunSpec seven = spec("");
  seven.ranks = 7;
  EXPECT_NEAR(result.time_s - recovery.resumed_at_s, in_a_child(seven).time_s, 1e-8);
}

TEST_P(Scenarios, restart_and_spare_give_the_sum_over_all) {
  for (const char* response : {"restart", "spare"}) {
    RunSpec run = spec(fmt::format("failure = [{{ rank = 3, at = \"50us\" }}]\n"
                                   "failure_policy = {{ response = \"{}\", timeout = \"1ms\" }}",
                                   response),
                       9);
    run.ranks = 8;
    run.data = DataMode::full;
    const RunResult result = in_a_child(run);
    EXPECT_EQ(result.verified, true) << response;
    ASSERT_EQ(result.recoveries.size(), 1u) << response;
    EXPECT_EQ(result.recoveries[0].ranks, 8) << response;
    EXPECT_NEAR(result.time_s, 1.05e-3 + ring_s(8, 1 << 20, kBytesPerS), 1e-8) << response;
  }
}

TEST_P(Scenarios, a_failure_after_the_end_is_none) {
  const RunResult result = in_a_child(spec("failure = [{ rank = 3, at = \"1s\" }]"));
  EXPECT_TRUE(result.recoveries.empty());
  EXPECT_NEAR(result.time_s, ring_s(8, 1 << 20, kBytesPerS), 1e-9);
}

TEST_P(Scenarios, a_link_that_stays_down_ends_the_run_with_an_error_and_never_hangs) {
  const Error error =
      failure(spec("link_down = [{ links = \"rank 3\", at = \"50us\" }]\nfailure_policy = { "
                   "timeout = \"1ms\" }"));
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("links stayed down"));
}

TEST(ScenarioEngines, give_equal_times_for_every_kind_of_disturbance) {
  const std::map<std::string, std::string> scenarios{
      {"slow rank", "slow_rank = [{ ranks = 3, factor = 2.5 }]"},
      {"delay", "delay = [{ ranks = 2, at = \"20.3us\", duration = \"99.7us\" }]"},
      {"noise", "noise = [{ period = \"50us\", duration = \"10us\" }]"},
      {"arrival", "arrival = [{ kind = \"exponential\", mean = \"100us\" }]"},
      {"flapping",
       "flapping_link = [{ links = \"rank 1\", first = \"10.37us\", period = \"61.3us\", "
       "down = \"19.7us\" }]"},
      {"window",
       "slow_link = [{ links = \"rank 5\", bandwidth_factor = 0.3, from = \"30.17us\", "
       "until = \"90us\" }]"},
      {"neighbours",
       "traffic = [{ pattern = \"permutation\", load = \"5GBps\", bytes = \"64KiB\" }]"},
      {"incast",
       "traffic = [{ pattern = \"incast\", to_device = \"h2\", load = \"1GBps\", bytes = \"64KiB\" "
       "}]"},
  };
  for (const auto& [name, scenario] : scenarios) {
    for (const char* algorithm : {"ring", "double-tree", "rabenseifner"}) {
      RunSpec spec;
      spec.topology = one_switch(8);
      spec.profile = "mpi-rdma";
      spec.algorithm = algorithm;
      spec.bytes = 500'000;
      spec.scenario = scenario;
      spec.engine = "simgrid";
      const double reference_s = in_a_child(spec).time_s;
      spec.engine = "flow";
      EXPECT_NEAR(in_a_child(spec).time_s, reference_s, 1e-6 * reference_s)
          << name << ", " << algorithm;
    }
  }
}

}  // namespace
}  // namespace reducelab
