#include "experiments/report/trial_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.h"
#include "experiments/report/paired_wins.h"

namespace reducelab {
namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> times(n);
  std::iota(times.begin(), times.end(), 1.0);
  return times;
}

TEST(TrialStatistics, TheMeanHasStudentsInterval) {
  const TrialStatistics statistics = trial_statistics({3, 1, 2, 5, 4});
  EXPECT_DOUBLE_EQ(statistics.mean.value_s, 3);
  // Standard deviation sqrt(2.5); t(0.975, 4) = 2.776445.
  const double half_s = 2.776445105 * std::sqrt(2.5 / 5);
  ASSERT_TRUE(statistics.mean.interval);
  EXPECT_NEAR(statistics.mean.interval->low_s, 3 - half_s, 1e-8);
  EXPECT_NEAR(statistics.mean.interval->high_s, 3 + half_s, 1e-8);
  EXPECT_EQ(statistics.least_s, 1);
  EXPECT_EQ(statistics.most_s, 5);
}

TEST(TrialStatistics, QuantilesAreTheNearestRank) {
  const TrialStatistics statistics = trial_statistics(one_to(100));
  EXPECT_EQ(statistics.p50.value_s, 50);
  EXPECT_EQ(statistics.p95.value_s, 95);
  EXPECT_EQ(statistics.p99.value_s, 99);
  EXPECT_EQ(quantile_estimate(one_to(20), 0.95).value_s, 19);
  EXPECT_EQ(quantile_estimate(one_to(1), 0.99).value_s, 1);
}

TEST(TrialStatistics, TheMediansIntervalIsThatOfThePrintedTable) {
  // Ranks of the 95 % interval for a median (as in tables of the sign test): 10: 2 and 9, 20: 6 and
  // 15, 50: 18 and 33, 100: 40 and 61.
  for (const auto& [n, low, high] :
       {std::tuple{6, 1, 6}, {10, 2, 9}, {20, 6, 15}, {50, 18, 33}, {100, 40, 61}}) {
    const auto interval = quantile_estimate(one_to(static_cast<std::size_t>(n)), 0.5).interval;
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low_s, low) << n;
    EXPECT_EQ(interval->high_s, high) << n;
  }
}

TEST(TrialStatistics, TooFewTrialsHaveNoInterval) {
  EXPECT_FALSE(trial_statistics({7}).mean.interval);
  EXPECT_EQ(trials_for_quantile(0.50), 6u);
  EXPECT_EQ(trials_for_quantile(0.95), 72u);
  EXPECT_EQ(trials_for_quantile(0.99), 368u);
  for (const double p : {0.5, 0.95, 0.99}) {
    const std::size_t enough = trials_for_quantile(p);
    EXPECT_FALSE(quantile_estimate(one_to(enough - 1), p).interval) << p;
    EXPECT_TRUE(quantile_estimate(one_to(enough), p).interval) << p;
  }
}

TEST(TrialStatistics, EqualTimesHaveIntervalsOfNoWidth) {
  const TrialStatistics statistics = trial_statistics(std::vector<double>(10, 0.1));
  EXPECT_EQ(statistics.mean.value_s, 0.1);
  EXPECT_EQ(statistics.mean.interval->low_s, 0.1);
  EXPECT_EQ(statistics.mean.interval->high_s, 0.1);
  EXPECT_EQ(statistics.p50.interval->high_s, 0.1);
}

TEST(TrialStatistics, IntervalsHoldTheTruthAsOftenAsTheySay) {
  // 1000 samples of 100 exponential times of mean 1, whose quantiles are -ln(1 - p).
  int mean_held = 0;
  int p50_held = 0;
  int p95_held = 0;
  const auto holds = [](const Estimate& estimate, double truth) {
    return estimate.interval->low_s <= truth && truth <= estimate.interval->high_s;
  };
  for (std::uint64_t sample = 0; sample < 1000; ++sample) {
    const RandomStream stream(sample, RandomPurpose::test, 0);
    std::vector<double> times;
    for (std::uint64_t i = 0; i < 100; ++i) times.push_back(-std::log1p(-stream.uniform(i)));
    const TrialStatistics statistics = trial_statistics(times);
    mean_held += holds(statistics.mean, 1) ? 1 : 0;
    p50_held += holds(statistics.p50, -std::log(0.5)) ? 1 : 0;
    p95_held += holds(statistics.p95, -std::log(0.05)) ? 1 : 0;
  }
  // Student's t is an approximation for so skewed a distribution; the others promise 95 % at least.
  EXPECT_GE(mean_held, 920);
  EXPECT_GE(p50_held, 940);
  EXPECT_GE(p95_held, 940);
  EXPECT_LT(mean_held + p50_held + p95_held, 2970) << "intervals that always hold say nothing";
}

TEST(PairedWins, AreCountedTrialByTrial) {
  const std::vector<std::vector<std::optional<double>>> times{
      {1.0, 5.0, 3.0, std::nullopt, std::nullopt}, {2.0, 4.0, 3.0, 9.0, std::nullopt}};
  const auto wins = paired_wins(times);
  ASSERT_EQ(wins.size(), 2u);
  EXPECT_EQ(wins[0].alone, 1u);
  EXPECT_EQ(wins[0].shared, 1u);
  EXPECT_EQ(wins[1].alone, 2u);
  EXPECT_EQ(wins[1].shared, 1u);
}

}  // namespace
}  // namespace reducelab
