#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

BackgroundTraffic poisson(TrafficPattern pattern) {
  BackgroundTraffic traffic;
  traffic.pattern = pattern;
  traffic.flows_per_s = 1000;
  traffic.bytes = Distribution::exponential(1 << 20);
  return traffic;
}

ResolvedScenario resolve_traffic_of(const BackgroundTraffic& traffic, std::uint64_t seed = 1) {
  Scenario scenario;
  scenario.traffic = {traffic};
  return resolve_on(scenario, four_by_eight(), 32, seed);
}

TEST(BackgroundTraffic, FlowsAreTheSameInAnyOrder) {
  auto resolved = resolve_traffic_of(poisson(TrafficPattern::uniform));
  ASSERT_EQ(resolved.traffic.size(), 32u);
  BackgroundSource& source = resolved.traffic[4];
  std::vector<BackgroundFlow> in_order;
  for (std::uint64_t k = 0; k < 100; ++k) in_order.push_back(source.flow(k).value());
  for (const std::uint64_t k : {99, 0, 50, 49, 50, 51, 0}) {
    EXPECT_EQ(source.flow(k).value(), in_order[k]) << k;
  }
  for (std::size_t k = 1; k < in_order.size(); ++k) {
    EXPECT_GE(in_order[k].start_s, in_order[k - 1].start_s);
  }
}

TEST(BackgroundTraffic, ArrivalsAndSizesHaveTheirMeans) {
  auto resolved = resolve_traffic_of(poisson(TrafficPattern::uniform));
  double flows = 0;
  double bytes = 0;
  for (BackgroundSource& source : resolved.traffic) {
    for (std::uint64_t k = 0;; ++k) {
      const BackgroundFlow flow = source.flow(k).value();
      if (flow.start_s >= 10) break;
      ++flows;
      bytes += static_cast<double>(flow.bytes);
    }
  }
  const double expected = 32 * 1000 * 10;  // Poisson: the variance is the mean
  EXPECT_NEAR(flows, expected, 4 * std::sqrt(expected));
  EXPECT_NEAR(bytes / flows, 1 << 20, 4 * (1 << 20) / std::sqrt(flows));
}

TEST(BackgroundTraffic, LoadIsBytesPerSecondOfEachSource) {
  BackgroundTraffic traffic = poisson(TrafficPattern::permutation);
  traffic.flows_per_s.reset();
  traffic.load_bytes_per_s = 1e9;
  traffic.bytes = Distribution::uniform(1000, 9000);
  traffic.window = {1, 1.2};
  auto resolved = resolve_traffic_of(traffic);
  double bytes = 0;
  for (std::uint64_t k = 0;; ++k) {
    const auto flow = resolved.traffic[0].flow(k);
    if (!flow) break;
    EXPECT_GE(flow->start_s, 1);
    EXPECT_LT(flow->start_s, 1.2);
    bytes += static_cast<double>(flow->bytes);
  }
  EXPECT_NEAR(bytes, 0.2e9, 0.2e9 * 0.03);  // 40000 flows, relative deviation 0.6 %
}

TEST(BackgroundTraffic, UniformReachesEveryOtherPlaceEquallyAndNeverItself) {
  auto resolved = resolve_traffic_of(poisson(TrafficPattern::uniform));
  BackgroundSource& source = resolved.traffic[9];
  std::map<DeviceId, int> count;
  constexpr int kFlows = 31'000;
  for (std::uint64_t k = 0; k < kFlows; ++k) ++count[source.flow(k)->to];
  EXPECT_EQ(count.size(), 31u);
  EXPECT_FALSE(count.contains(source.from()));
  for (const auto& [device, times] : count) EXPECT_NEAR(times, 1000, 160);  // 5 deviations
}

TEST(BackgroundTraffic, PermutationHasOneSenderForEachTarget) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto resolved = resolve_traffic_of(poisson(TrafficPattern::permutation), seed);
    std::set<DeviceId> targets;
    for (BackgroundSource& source : resolved.traffic) {
      EXPECT_NE(source.flow(0)->to, source.from());
      EXPECT_EQ(source.flow(0)->to, source.flow(5)->to);
      targets.insert(source.flow(0)->to);
    }
    EXPECT_EQ(targets.size(), 32u);
  }
}

TEST(BackgroundTraffic, IncastComesFromAllOthers) {
  BackgroundTraffic traffic = poisson(TrafficPattern::incast);
  traffic.to_device = "h3";
  auto resolved = resolve_traffic_of(traffic);
  EXPECT_EQ(resolved.traffic.size(), 31u);
  const DeviceId target = *four_by_eight().find_device("h3");
  for (BackgroundSource& source : resolved.traffic) {
    EXPECT_EQ(source.flow(0)->to, target);
    EXPECT_NE(source.from(), target);
  }
}

TEST(BackgroundTraffic, AFixedFlowWithoutARateIsOneFlow) {
  BackgroundTraffic traffic;
  traffic.pattern = TrafficPattern::fixed;
  traffic.from_device = "h0";
  traffic.to_device = "h31";
  traffic.bytes = Distribution::fixed(1 << 30);
  traffic.window.from_s = 0.5;
  auto resolved = resolve_traffic_of(traffic);
  ASSERT_EQ(resolved.traffic.size(), 1u);
  const BackgroundFlow flow = resolved.traffic[0].flow(0).value();
  EXPECT_EQ(flow.start_s, 0.5);
  EXPECT_EQ(flow.bytes, 1 << 30);
  EXPECT_EQ(resolved.traffic[0].flow(1), std::nullopt);
}

TEST(BackgroundTraffic, AnotherRuleLeavesTheFlowsOfTheFirst) {
  Scenario one;
  one.traffic = {poisson(TrafficPattern::uniform)};
  Scenario two = one;
  two.traffic.push_back(poisson(TrafficPattern::permutation));
  two.noises = {Noise{{}, 1e-3, 1e-5, false, {}, {}}};
  auto alone = resolve_on(one, four_by_eight());
  auto beside = resolve_on(two, four_by_eight());
  ASSERT_EQ(beside.traffic.size(), 64u);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(alone.traffic[i].flow(7), beside.traffic[i].flow(7));
  }
  EXPECT_NE(beside.traffic[0].flow(7)->start_s, beside.traffic[32].flow(7)->start_s);
}

TEST(BackgroundTraffic, StartsAndEndsAtPlacesForRanksOnly) {
  BackgroundTraffic traffic = poisson(TrafficPattern::incast);
  traffic.to_device = "leaf0";
  EXPECT_THAT(error_of([&] { resolve_traffic_of(traffic); }),
              HasSubstr("\"leaf0\" is a switch, not a place for a rank"));
  traffic.to_device = "leaf";
  EXPECT_THAT(error_of([&] { resolve_traffic_of(traffic); }), HasSubstr("did you mean \"leaf"));
  traffic = poisson(TrafficPattern::uniform);
  traffic.places = {"x*"};
  EXPECT_THAT(error_of([&] { resolve_traffic_of(traffic); }), HasSubstr("\"x*\""));
}

}  // namespace
}  // namespace reducelab
