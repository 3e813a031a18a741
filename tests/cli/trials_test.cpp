// Monte Carlo through the command: what many seeds give, against closed forms and single runs.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLateRanks = "[[arrival]]\nkind = \"exponential\"\nmean = \"1ms\"\n";
/// Of which some seeds abort: those in which the ranks come too late to be done by 1 ms.
constexpr const char* kLateOrDead =
    "[[arrival]]\nkind = \"exponential\"\nmean = \"500us\"\n"
    "[[failure]]\nrank = 3\nat = \"1ms\"\n[failure_policy]\ntimeout = \"1ms\"\n";

class Trials : public testing::Test {
 protected:
  std::vector<std::string> words(const std::string& command, const std::string& scenario,
                                 const std::vector<std::string>& more, int hosts = 8) const {
    std::vector<std::string> all{
        command,
        "--topology",
        "single-switch:hosts=" + std::to_string(hosts) + ",bandwidth=100Gbps,latency=1ns",
        command == "run" ? "--size" : "--sizes",
        "64",
        "--engine",
        "flow"};
    if (!scenario.empty()) {
      all.insert(all.end(), {"--scenario", scratch_.file("scenario.toml", scenario)});
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  ScratchDirectory scratch_;
};

void expect_inside(const json& estimate, double truth, const std::string& what) {
  EXPECT_LE(estimate.at("low_s").get<double>(), truth) << what;
  EXPECT_GE(estimate.at("high_s").get<double>(), truth) << what;
}

json without_wall_times(json result) {
  result.erase("wall_s");
  result.erase("reduce_wall_s");
  return result;
}

TEST_F(Trials, TheLastOfNExponentialArrivalsIsAHarmonicNumberOfMeansLate) {
  // The messages take less than 1 us of several ms: well inside the intervals.
  for (const int n : {4, 8, 16}) {
    const json trials =
        reducelab(words("run", kLateRanks, {"--trials", "400", "--json"}, n)).json().at("trials");
    double harmonic = 0;
    for (int k = 1; k <= n; ++k) harmonic += 1.0 / k;
    const std::string what = std::to_string(n) + " ranks";
    expect_inside(trials.at("mean"), 1e-3 * harmonic, what);
    // The greatest of n is at most x with probability (1 - exp(-x / mean))^n.
    const auto quantile_s = [&](double p) { return -1e-3 * std::log1p(-std::pow(p, 1.0 / n)); };
    expect_inside(trials.at("p50"), quantile_s(0.50), what);
    expect_inside(trials.at("p95"), quantile_s(0.95), what);
    expect_inside(trials.at("p99"), quantile_s(0.99), what);
  }
}

TEST_F(Trials, EachIsTheRunWithItsSeed) {
  const json trials =
      reducelab(words("run", kLateRanks, {"--trials", "3", "--seed", "5", "--json"})).json();
  EXPECT_EQ(trials.at("seed"), 5);
  EXPECT_EQ(trials.at("verified"), true);
  EXPECT_EQ(trials.at("trials").at("first_seed"), 5);
  ASSERT_EQ(trials.at("trials").at("times_s").size(), 3u);
  for (const int trial : {0, 1, 2}) {
    const json run =
        reducelab(words("run", kLateRanks, {"--seed", std::to_string(5 + trial), "--json"})).json();
    EXPECT_EQ(trials.at("trials").at("times_s").at(trial), run.at("time_s"));
  }
}

TEST_F(Trials, SameSeedSameJson) {
  const auto run = [&](const char* jobs) {
    return without_wall_times(
        reducelab(words("run", kLateRanks, {"--trials", "12", "--json", "-j", jobs})).json());
  };
  EXPECT_EQ(run("1").dump(), run("3").dump());
}

TEST_F(Trials, AnEmptyScenarioIsThePlainResultBitForBit) {
  const json plain = reducelab(words("run", "", {"--json"})).json();
  const json empty = reducelab(words("run", "name = \"nothing\"\n", {"--json"})).json();
  EXPECT_EQ(without_wall_times(empty).dump(), without_wall_times(plain).dump());
  EXPECT_EQ(plain.at("slowdown"), nullptr);
}

TEST_F(Trials, WinsArePairedAndAddUp) {
  const ProcessResult result =
      reducelab(words("compare", kLateRanks,
                      {"--algorithms", "ring,linear,double-tree", "--trials", "9", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json comparison = result.json();
  const json& trials = comparison.at("trials");
  ASSERT_EQ(trials.size(), 3u);
  std::vector<int> wins(3, 0);
  for (std::size_t t = 0; t < 9; ++t) {
    std::vector<double> times;
    for (const json& point : trials) times.push_back(point.at("times_s").at(t).get<double>());
    ++wins[static_cast<std::size_t>(std::ranges::min_element(times) - times.begin())];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_EQ(trials.at(a).at("wins"), wins[a]) << trials.at(a).at("algorithm");
    EXPECT_EQ(trials.at(a).at("shared_wins"), 0);
  }
  EXPECT_EQ(comparison.at("best").size(), 1u);
}

TEST_F(Trials, ThoseThatAbortAreCountedAndNamed) {
  const ProcessResult run = reducelab(words("run", kLateOrDead, {"--trials", "12", "--json"}));
  EXPECT_EQ(run.exit_code, 4);
  const json trials = run.json().at("trials");
  const std::size_t failed = trials.at("failed").size();
  ASSERT_GT(failed, 0u);
  ASSERT_LT(failed, 12u);
  EXPECT_EQ(std::ranges::count(trials.at("times_s"), json(nullptr)), failed);
  for (const json& trial : trials.at("failed")) {
    const auto index = trial.at("seed").get<std::size_t>() - 1;
    EXPECT_EQ(trials.at("times_s").at(index), nullptr);
    EXPECT_THAT(trial.at("error").at("message").get<std::string>(), HasSubstr("a failure"));
  }
  const ProcessResult text = reducelab(words("run", kLateOrDead, {"--trials", "12"}));
  EXPECT_EQ(text.exit_code, 4);
  EXPECT_THAT(text.out, HasSubstr(std::to_string(failed) + " of 12 trials failed"));
}

TEST_F(Trials, NoneThatComesThroughIsAnError) {
  const ProcessResult run = reducelab(
      words("run", "", {"--fail", "rank:3@0s", "--failure-timeout", "1ms", "--trials", "3"}));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("none of the 3 trials came through"));
}

TEST_F(Trials, TooFewForAnIntervalAreToldSo) {
  const ProcessResult few = reducelab(words("run", kLateRanks, {"--trials", "8"}));
  EXPECT_THAT(few.out, HasSubstr("takes 72 trials"));
  EXPECT_THAT(few.out, HasSubstr("too few for one of p95 (takes 72), p99 (takes 368)"));
  EXPECT_THAT(few.out, Not(HasSubstr("all gave the same time")));
  const ProcessResult fixed = reducelab(words("run", "", {"--trials", "2"}));
  EXPECT_THAT(fixed.out, HasSubstr("all gave the same time"));
}

TEST_F(Trials, CsvHasALineOfStatisticsPerPoint) {
  const ProcessResult result = reducelab(
      words("compare", kLateRanks, {"--algorithms", "ring,linear", "--trials", "3", "--csv"}));
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 3);
  EXPECT_THAT(result.out, HasSubstr(",mean_s,mean_low_s,mean_high_s,p50_s,"));
  EXPECT_THAT(result.out, HasSubstr("\nring,allreduce,64,"));
}

TEST_F(Trials, WhatIsAboutOneRunIsRefused) {
  for (const char* flag : {"--explain", "--trace"}) {
    std::vector<std::string> all = words("run", "", {"--trials", "2", flag});
    if (std::string(flag) == "--trace") all.push_back((scratch_.path() / "t.json").string());
    const ProcessResult result = reducelab(all);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("leave out --trials"));
  }
  EXPECT_EQ(reducelab(words("run", "", {"--trials", "0"})).exit_code, 2);
}

}  // namespace
}  // namespace reducelab
