#include <gtest/gtest.h>

#include <cstdlib>

#include "topologies/catalogue.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

std::vector<std::string> path(const Topology& topology, const std::string& from,
                              const std::string& to) {
  Router router(topology);
  std::vector<std::string> names;
  const Route& route = router.route(*topology.find_device(from), *topology.find_device(to));
  for (const LinkId link : route.links) {
    names.push_back(topology.device(topology.link(link).to).name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Torus, CorrectsTheFirstDimensionBeforeTheSecond) {
  const Topology topology = resolve_topology("torus:dims=5x5");
  EXPECT_EQ(path(topology, "h0.0", "h2.1"), (Names{"h1.0", "h2.0", "h2.1"}));
  EXPECT_EQ(path(topology, "h2.1", "h0.0"), (Names{"h1.1", "h0.1", "h0.0"}));
}

TEST(Torus, GoesTheShorterWayRound) {
  const Topology topology = resolve_topology("torus:dims=7");
  EXPECT_EQ(path(topology, "h1", "h5"), (Names{"h0", "h6", "h5"}));
  EXPECT_EQ(path(topology, "h5", "h1"), (Names{"h6", "h0", "h1"}));
}

TEST(Torus, SplitsTheHalfWayTieByTheParityOfTheSource) {
  const Topology topology = resolve_topology("torus:dims=4");
  EXPECT_EQ(path(topology, "h0", "h2"), (Names{"h1", "h2"}));
  EXPECT_EQ(path(topology, "h1", "h3"), (Names{"h0", "h3"}));
}

TEST(Torus, EveryRouteHasTheManhattanLengthRoundTheTorus) {
  const Topology topology = resolve_topology("torus:dims=4x3x2,latency=100ns,hop=300ns");
  Router router(topology);
  const auto distance = [](int a, int b, int extent) {
    const int apart = std::abs(a - b);
    return std::min(apart, extent - apart);
  };
  for (DeviceId a = 0; a < 24; ++a) {
    for (DeviceId b = 0; b < 24; ++b) {
      const int expected =
          distance(a / 6, b / 6, 4) + distance(a / 2 % 3, b / 2 % 3, 3) + distance(a % 2, b % 2, 2);
      const Route& route = router.route(a, b);
      ASSERT_EQ(route.links.size(), static_cast<std::size_t>(expected)) << a << " to " << b;
      const double latency = expected == 0 ? 0 : expected * 100e-9 + (expected - 1) * 300e-9;
      EXPECT_NEAR(route.latency_s, latency, 1e-18);
    }
  }
}

TEST(Torus, JoinsTwoPositionsByOneCable) {
  // 4x2: 8 cables round the rings of 4, 4 between the two rings; two links each.
  EXPECT_EQ(resolve_topology("torus:dims=4x2").links().size(), 2u * (8 + 4));
  EXPECT_EQ(resolve_topology("torus:dims=8x1x1").links().size(), 2u * 8);
}

}  // namespace
}  // namespace reducelab
