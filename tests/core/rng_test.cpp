#include "core/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace reducelab {
namespace {

TEST(ScatterBits, IsTheFinaliserOfSplitMix64) {
  // The first outputs of SplitMix64 for seed 1234567, as its test vectors give them.
  constexpr std::array<std::uint64_t, 5> published{6457827717110365317u, 3203168211198807973u,
                                                   9817491932198370423u, 4593380528125082431u,
                                                   16408922859458223821u};
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected : published) {
    state += 0x9e3779b97f4a7c15u;
    EXPECT_EQ(scatter_bits(state), expected);
  }
}

TEST(RandomStream, DependsOnSeedPurposeRankAndIndexAlone) {
  const RandomStream stream(42, RandomPurpose::data, 3);
  std::vector<std::uint64_t> forward;
  for (std::uint64_t i = 0; i < 100; ++i) forward.push_back(stream.bits(i));
  const RandomStream again(42, RandomPurpose::data, 3);
  for (std::uint64_t i = 100; i-- > 0;) EXPECT_EQ(again.bits(i), forward[i]);
}

TEST(RandomStream, NoDrawIsSharedBetweenSeedsPurposesRanksAndIndices) {
  std::set<std::uint64_t> seen;
  std::size_t draws = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const RandomPurpose purpose : {RandomPurpose::data, RandomPurpose::arrival,
                                        RandomPurpose::noise, RandomPurpose::traffic}) {
      for (std::uint64_t rank = 0; rank < 16; ++rank) {
        const RandomStream stream(seed, purpose, rank);
        for (std::uint64_t i = 0; i < 64; ++i, ++draws) seen.insert(stream.bits(i));
      }
    }
  }
  EXPECT_EQ(seen.size(), draws);
}

TEST(RandomStream, UniformDrawsFillTheUnitIntervalEvenly) {
  const RandomStream stream(1, RandomPurpose::noise, 0);
  constexpr int kDraws = 100'000;
  constexpr int kBins = 100;
  std::array<int, kBins> bins{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double x = stream.uniform(i);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    ++bins[static_cast<std::size_t>(x * kBins)];
  }
  double chi_squared = 0;
  constexpr double kExpected = 1.0 * kDraws / kBins;
  for (const int count : bins) chi_squared += std::pow(count - kExpected, 2) / kExpected;
  // 99 degrees of freedom: mean 99, standard deviation 14; five of them either way.
  EXPECT_GT(chi_squared, 99 - 5 * 14);
  EXPECT_LT(chi_squared, 99 + 5 * 14);
}

/// Pearson's coefficient of two streams over 10 000 draws; 0.01 is its standard deviation by
/// chance.
double correlation(const RandomStream& a, const RandomStream& b, std::uint64_t shift) {
  constexpr int kDraws = 10'000;
  double sum = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    sum += (a.uniform(i) - 0.5) * (b.uniform(i + shift) - 0.5);
  }
  return sum / kDraws * 12;
}

TEST(RandomStream, NeighbouringStreamsAreUncorrelated) {
  for (std::uint64_t rank = 0; rank < 20; ++rank) {
    const RandomStream here(7, RandomPurpose::data, rank);
    EXPECT_LT(std::abs(correlation(here, {7, RandomPurpose::data, rank + 1}, 0)), 0.05);
    EXPECT_LT(std::abs(correlation(here, {8, RandomPurpose::data, rank}, 0)), 0.05);
    EXPECT_LT(std::abs(correlation(here, {7, RandomPurpose::noise, rank}, 0)), 0.05);
    EXPECT_LT(std::abs(correlation(here, here, 1)), 0.05);
  }
  const RandomStream self(7, RandomPurpose::data, 0);
  EXPECT_NEAR(correlation(self, self, 0), 1, 0.05);
}

}  // namespace
}  // namespace reducelab
