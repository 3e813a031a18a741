// Random topologies, programs, profiles and scenarios: both engines give the same run.
#include <gtest/gtest.h>

#include "engine_pair.h"
#include "sim/flow/flow_network.h"
#include "sim/simgrid/simgrid_network.h"

namespace reducelab {
namespace {

constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kCases = 500;

TEST(RandomCases, the_engines_agree_on_500) {
  const EnginePair engines = simgrid_and_flow();
  int explained = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kCases; ++seed) {
    const Case source = random_case(seed);
    const auto differs = engines.difference_on(source);
    if (!differs) continue;
    constexpr int kMostExplained = 3;
    ADD_FAILURE() << "case " << seed << ": " << *differs
                  << (++explained <= kMostExplained ? "\n" + engines.explain(source) : "");
  }
}

TEST(RandomCases, the_engines_agree_when_the_clock_has_run_for_a_day) {
  // A double then holds 1e-11 s and no less: SimGrid must lose no event for that.
  const EnginePair engines = simgrid_and_flow();
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 60; ++seed) {
    Case source = random_case(seed);
    source.scenario = {};
    source.scenario.arrivals.push_back({{}, {}, Distribution::uniform(86'400, 86'401), {}});
    const auto differs = engines.difference_on(source);
    EXPECT_FALSE(differs.has_value()) << "case " << seed << ": " << *differs;
  }
}

TEST(RandomCases, a_message_that_ends_as_its_link_goes_down_has_ended) {
  const EnginePair engines = simgrid_and_flow();
  for (int step = 1; step <= 50; ++step) {
    Case source;
    source.hosts = 2;
    source.cables.push_back({0, 1});
    source.hosts_of_ranks = {0, 1};
    source.lines.push_back({CaseLine::Kind::message, 0, 1, 0, 77 * step});
    const double end_s = 77 * step * 4 / 1e9;
    // Half of the rate for a while, so that rounding comes in.
    source.scenario.slow_links.push_back({{"h0->h1"}, 0.5, {}, 0, {end_s / 7, end_s / 3}, {}});
    const double end_with_that_s = end_s + (end_s / 3 - end_s / 7) / 2;
    source.scenario.links_down.push_back({{"h0->h1"}, end_with_that_s, 1, {}});
    const Job job = case_job(source);
    const ProgramMaker programs = case_programs(source, job);
    for (const bool simgrid : {true, false}) {
      const Observed run = simgrid ? observe_in_child(job, programs, make_simgrid_network)
                                   : observe(job, programs, make_flow_network);
      EXPECT_EQ(run.failure, "");
      EXPECT_NEAR(run.time_s, end_with_that_s, 1e-12 * end_with_that_s + 1e-15) << step << simgrid;
    }
  }
}

TEST(RandomCases, all_of_them_finish) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kCases; ++seed) {
    const Case source = random_case(seed);
    const Job job = case_job(source);
    const Observed run = observe(job, case_programs(source, job), make_flow_network);
    EXPECT_EQ(run.failure, "") << describe(source);
  }
}

}  // namespace
}  // namespace reducelab
