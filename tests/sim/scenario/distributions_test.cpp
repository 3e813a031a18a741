#include "sim/scenario/distributions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace reducelab {
namespace {

const std::vector<Distribution> kSamples{
    Distribution::fixed(3),           Distribution::uniform(1, 4),
    Distribution::normal(5, 1),       Distribution::normal(1, 2),  // a third of it clipped
    Distribution::log_normal(2, 0.5), Distribution::exponential(3, 0.5),
    Distribution::pareto(2, 3)};

TEST(Distributions, NormalQuantileInvertsTheDistributionFunction) {
  for (double u = 1e-15; u < 0.5; u *= 1.7) {
    const double below = 0.5 * std::erfc(-normal_quantile(u) / std::numbers::sqrt2);
    EXPECT_NEAR(below / u, 1, 5e-14) << u;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (double u : {0.6, 0.9, 0.999}) {
    EXPECT_NEAR(normal_quantile(u), -normal_quantile(1 - u), 1e-13) << u;
  }
}

TEST(Distributions, QuantilesMatchPublishedTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.999), 3.090232306167813, 1e-14);
  EXPECT_NEAR(quantile(Distribution::exponential(3, 0.5), 0.5), 0.5 + 3 * std::log(2.0), 1e-14);
  EXPECT_NEAR(quantile(Distribution::pareto(2, 3), 0.875), 4, 1e-14);
  EXPECT_NEAR(quantile(Distribution::log_normal(2, 0.5), 0.5), 2, 1e-14);
}

TEST(Distributions, MeanIsTheIntegralOfTheQuantiles) {
  for (const Distribution& distribution : kSamples) {
    constexpr int kSteps = 1'000'000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += quantile(distribution, (i + 0.5) / kSteps);
    EXPECT_NEAR(sum / kSteps / mean_of(distribution), 1, 1e-4) << name_of(distribution.kind);
  }
  EXPECT_EQ(mean_of(Distribution::pareto(2, 1)), std::numeric_limits<double>::infinity());
}

TEST(Distributions, MeanOfDrawsIsTheClosedForm) {
  constexpr std::uint64_t kDraws = 200'000;
  const RandomStream stream(7, RandomPurpose::test, 0);
  for (const Distribution& distribution : kSamples) {
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      const double value = draw(distribution, stream, i);
      EXPECT_GE(value, 0);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / kDraws;
    const double error = std::sqrt(std::max(0.0, squares / kDraws - mean * mean) / kDraws);
    EXPECT_NEAR(mean, mean_of(distribution), 4 * error + 1e-12) << name_of(distribution.kind);
  }
}

TEST(Distributions, QuantilesNeverDecreaseAndStayFiniteAtTheEnds) {
  const double last = 1 - 0x1p-53;
  for (const Distribution& distribution : kSamples) {
    double before = 0;
    for (double u = 0; u < 1; u += 1e-3) {
      EXPECT_GE(quantile(distribution, u), before);
      before = quantile(distribution, u);
    }
    EXPECT_TRUE(std::isfinite(quantile(distribution, last))) << name_of(distribution.kind);
    EXPECT_GE(quantile(distribution, last), before);
  }
}

}  // namespace
}  // namespace reducelab
