#include "sim/scenario/rank_timeline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.h"

namespace reducelab {
namespace {

struct NoiseParts {
  double phase_s;
  double period_s;
  double duration_s;
};

struct SlowParts {
  Window window;
  double factor;  // infinite: pause
};

/// A timeline, and what it is made of for an independent computation.
struct Case {
  std::vector<SlowParts> slow;
  std::vector<NoiseParts> noise;

  ResourceTimeline timeline() const {
    ResourceTimeline made;
    for (const auto& [window, factor] : slow) made.slow_down(window, factor);
    for (const auto& [phase, period, duration] : noise) made.add_noise(phase, period, duration);
    return made;
  }

  double speed_at(double t) const {
    for (const auto& [phase, period, duration] : noise) {
      const double since = t - phase - std::floor((t - phase) / period) * period;
      if (since < duration) return 0;
    }
    double slowness = 1;
    for (const auto& [window, factor] : slow) {
      if (window.from_s <= t && t < window.until_s) slowness *= factor;
    }
    return 1 / slowness;
  }

  /// The speed integrated in small steps.
  double stepped_finish(double begin_s, double busy_s, double step_s) const {
    double done_s = 0;
    std::uint64_t steps = 0;
    for (; done_s < busy_s - step_s / 2; ++steps) {
      done_s += step_s * speed_at(begin_s + (static_cast<double>(steps) + 0.5) * step_s);
    }
    return begin_s + static_cast<double>(steps) * step_s;
  }
};

/// Random windows, pauses and up to `noises` noises, all within some tens of time units.
Case random_case(std::uint64_t number, std::uint64_t noises) {
  const RandomStream stream(number, RandomPurpose::test, 0);
  std::uint64_t index = 0;
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * stream.uniform(index++);
  };
  Case made;
  for (std::uint64_t i = stream.bits(index++) % 4; i > 0; --i) {
    const double from = uniform(0, 20);
    made.slow.push_back({{from, from + uniform(0.1, 20)}, uniform(0.5, 4)});
  }
  for (std::uint64_t i = stream.bits(index++) % 3; i > 0; --i) {
    const double from = uniform(0, 20);
    made.slow.push_back({{from, from + uniform(0.1, 5)}, kForever});
  }
  for (std::uint64_t i = 0; i < noises; ++i) {
    const double period = uniform(0.5, 4);
    made.noise.push_back({uniform(0, period), period, period * uniform(0.01, 0.4)});
  }
  return made;
}

TEST(RankTimeline, UndisturbedWorkIsBitForBitTheSum) {
  const RankTimeline plain;
  EXPECT_TRUE(plain.plain());
  EXPECT_EQ(plain.finish(Resource::compute, 0.1, 0.2), 0.1 + 0.2);
}

TEST(RankTimeline, AConstantFactorIsBitForBitTheProduct) {
  RankTimeline slow;
  slow.of(Resource::overhead).slow_down({}, 1.7);
  EXPECT_EQ(slow.finish(Resource::overhead, 0.1, 0.3), 0.1 + 0.3 * 1.7);
  EXPECT_EQ(slow.finish(Resource::reduction, 0.1, 0.3), 0.1 + 0.3);
  EXPECT_FALSE(slow.plain());
}

TEST(RankTimeline, WorkOutsideAWindowIsBitForBitUndisturbed) {
  ResourceTimeline timeline;
  timeline.slow_down({1, 2}, 3);
  EXPECT_EQ(timeline.finish(0.1, 0.2), 0.1 + 0.2);
  EXPECT_EQ(timeline.finish(0.1, 0.9), 1.0);
  EXPECT_EQ(timeline.finish(2.1, 0.7), 2.1 + 0.7);
  EXPECT_DOUBLE_EQ(timeline.finish(0.5, 0.6), 1.3);     // 0.5 before, 0.1 at a third of the speed
  EXPECT_DOUBLE_EQ(timeline.finish(0, 2), 2 + 2. / 3);  // a third is done within the window
}

TEST(RankTimeline, FactorsMultiplyAndCancel) {
  ResourceTimeline timeline;
  timeline.slow_down({0, 10}, 2);
  timeline.slow_down({5, 20}, 4);
  EXPECT_EQ(timeline.finish(6, 0.25), 8);
  timeline.slow_down({0, 10}, 0.5);
  timeline.slow_down({5, 20}, 0.25);
  EXPECT_TRUE(timeline.plain());
}

TEST(RankTimeline, ADelayHoldsWorkUpOnce) {
  ResourceTimeline timeline;
  timeline.pause({1, 3});
  EXPECT_EQ(timeline.finish(0.5, 0.5), 1);
  EXPECT_EQ(timeline.finish(0.5, 1), 3.5);
  EXPECT_EQ(timeline.finish(2, 1), 4);
  EXPECT_EQ(timeline.finish(2, 0), 2);
}

TEST(RankTimeline, NoiseCostsOnePauseAPeriod) {
  ResourceTimeline timeline;
  timeline.add_noise(0, 1, 0.25);  // pauses in [0, 0.25), [1, 1.25) ...
  EXPECT_DOUBLE_EQ(timeline.finish(0, 0.75), 1);
  EXPECT_DOUBLE_EQ(timeline.finish(0, 1), 1.5);
  EXPECT_DOUBLE_EQ(timeline.finish(0.5, 0.5), 1);
  EXPECT_DOUBLE_EQ(timeline.finish(0.1, 1.5), 2);
  EXPECT_DOUBLE_EQ(timeline.finish(0, 0.75e6), 1e6);
}

TEST(RankTimeline, ANoiseWithAPhaseMayBeUnderWayAtTimeZero) {
  ResourceTimeline timeline;
  timeline.add_noise(0.9, 1, 0.25);  // [-0.1, 0.15), [0.9, 1.15) ...
  EXPECT_DOUBLE_EQ(timeline.finish(0, 0.5), 0.65);
}

TEST(RankTimeline, ManyPeriodsCostNoMoreThanOne) {
  ResourceTimeline timeline;
  timeline.add_noise(3e-7, 1e-6, 2.5e-8);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) sum += timeline.finish(i, 1000);  // 1e9 periods each
  EXPECT_NEAR(sum / 100'000, 49'999.5 + 1000 / 0.975, 1e-3);
}

TEST(RankTimeline, FinishIsTheIntegralOfTheSpeed) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    const Case made = random_case(number, number % 3);
    const ResourceTimeline timeline = made.timeline();
    const RandomStream stream(number, RandomPurpose::test, 1);
    const double begin_s = 10 * stream.uniform(0);
    const double busy_s = 20 * stream.uniform(1);
    EXPECT_NEAR(timeline.finish(begin_s, busy_s), made.stepped_finish(begin_s, busy_s, 1e-4), 2e-3)
        << "case " << number;
  }
}

TEST(RankTimeline, FinishSplitsAnywhere) {
  // Work done in two parts, one after the other, ends when the whole does.
  for (std::uint64_t number = 0; number < 300; ++number) {
    const ResourceTimeline timeline = random_case(number, number % 4).timeline();
    const RandomStream stream(number, RandomPurpose::test, 2);
    const double begin_s = 20 * stream.uniform(0);
    const double first_s = 20 * stream.uniform(1);
    const double second_s = 0.1 + 20 * stream.uniform(2);
    EXPECT_NEAR(timeline.finish(timeline.finish(begin_s, first_s), second_s),
                timeline.finish(begin_s, first_s + second_s), 1e-9)
        << "case " << number;
  }
}

TEST(RankTimeline, FinishNeverDecreasesNotEvenByRounding) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const ResourceTimeline timeline = random_case(number, number % 3).timeline();
    const RandomStream stream(number, RandomPurpose::test, 3);
    for (std::uint64_t i = 0; i < 100; ++i) {
      const double begin_s = 30 * stream.uniform(3 * i);
      const double busy_s = 30 * stream.uniform(3 * i + 1) + 1e-9;
      const double step = i % 2 == 0 ? 1e-16 : 0.1 * stream.uniform(3 * i + 2);
      const double finish_s = timeline.finish(begin_s, busy_s);
      EXPECT_GE(finish_s, begin_s);
      EXPECT_GE(timeline.finish(begin_s * (1 + step), busy_s), finish_s);
      EXPECT_GE(timeline.finish(std::nextafter(begin_s, kForever), busy_s), finish_s);
      EXPECT_GE(timeline.finish(begin_s, std::nextafter(busy_s, kForever)), finish_s);
      EXPECT_GE(timeline.finish(begin_s, busy_s * (1 + step)), finish_s);
    }
  }
}

TEST(RankTimeline, FinishDoesNotDecreaseAcrossTheEdgesOfNoise) {
  const RandomStream stream(1, RandomPurpose::test, 4);
  for (std::uint64_t number = 0; number < 20'000; ++number) {
    const double period_s = 0.5 + stream.uniform(5 * number);
    const double phase_s = period_s * stream.uniform(5 * number + 1);
    ResourceTimeline timeline;
    timeline.add_noise(phase_s, period_s, period_s * (0.01 + 0.5 * stream.uniform(5 * number + 2)));
    const double k = std::floor(40 * stream.uniform(5 * number + 3));
    const double busy_s = 3 * stream.uniform(5 * number + 4) * (number % 2 == 0 ? 1 : 1e-15);
    const double edge_s = phase_s - period_s + (k + 1) * period_s;
    const double before_s = std::nextafter(edge_s, 0);
    const double after_s = std::nextafter(edge_s, kForever);
    EXPECT_LE(timeline.finish(before_s, busy_s), timeline.finish(edge_s, busy_s));
    EXPECT_LE(timeline.finish(edge_s, busy_s), timeline.finish(after_s, busy_s));
  }
}

}  // namespace
}  // namespace reducelab
