#include "topologies/symmetry.h"

#include <gtest/gtest.h>

#include <string>

#include "topologies/catalogue.h"
#include "topologies/placement.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

std::vector<int> shifted(int ranks, int by = 1) {
  std::vector<int> image;
  for (int rank = 0; rank < ranks; ++rank) image.push_back((rank + by) % ranks);
  return image;
}

std::vector<int> exclusive_or(int ranks, int with) {
  std::vector<int> image;
  for (int rank = 0; rank < ranks; ++rank) image.push_back(rank ^ with);
  return image;
}

bool allows(const Topology& topology, int ranks, const std::vector<int>& image,
            const std::string& placement = "block") {
  return TopologySymmetry(topology, place_ranks(topology, ranks, placement)).allows(image);
}

TEST(TopologySymmetry, OneSwitchAllowsEveryRelabellingAndHasTwoClassesOfLinks) {
  const Topology topology = resolve_topology("single-switch:hosts=6");
  const auto placement = place_ranks(topology, 6, "5,1,2,0,4,3");
  TopologySymmetry symmetry(topology, placement);
  EXPECT_TRUE(symmetry.allows(std::vector{0, 1, 2, 3, 5, 4}));
  EXPECT_TRUE(symmetry.allows(shifted(6)));
  for (LinkId link = 0; link < 12; ++link) EXPECT_EQ(symmetry.class_size(link), 6);
  EXPECT_EQ(symmetry.class_of(0), symmetry.class_of(10));
  EXPECT_NE(symmetry.class_of(0), symmetry.class_of(1));
}

TEST(TopologySymmetry, HostsWithoutRanksStayWhereTheyAre) {
  const Topology topology = resolve_topology("single-switch:hosts=9");
  TopologySymmetry symmetry(topology, place_ranks(topology, 4, "8,2,6,4"));
  EXPECT_TRUE(symmetry.allows(shifted(4)));
  EXPECT_EQ(symmetry.class_size(2 * 8), 4);
  EXPECT_EQ(symmetry.class_size(2 * 7), 1);
}

TEST(TopologySymmetry, OneOddLinkOfTheRanksIsEnoughForANo) {
  Topology topology = resolve_topology("single-switch:hosts=5");
  EXPECT_TRUE(allows(topology, 5, shifted(5)));
  const Link link = topology.link(7);
  topology.set_bandwidth(7, link.bandwidth_bytes_per_s * 0.999);
  EXPECT_FALSE(allows(topology, 5, shifted(5)));
  EXPECT_TRUE(allows(topology, 3, shifted(3)));  // that link's host has no rank
  topology.set_bandwidth(7, link.bandwidth_bytes_per_s);
  EXPECT_TRUE(allows(topology, 5, shifted(5)));
  topology.set_latency(7, link.latency_s + 1e-9);
  EXPECT_FALSE(allows(topology, 5, shifted(5)));
  topology.set_latency(7, link.latency_s);
  topology.add_cable(1, 2, 1e9, 0, LinkKind::network);
  EXPECT_FALSE(allows(topology, 5, shifted(5)));
}

TEST(TopologySymmetry, DevicesOfAnotherNatureAreNotExchanged) {
  Topology topology;
  const DeviceId fast = topology.add_device({"fast", DeviceKind::switch_, -1, 1e-7});
  const DeviceId slow = topology.add_device({"slow", DeviceKind::switch_, -1, 2e-7});
  for (int i = 0; i < 4; ++i) {
    const DeviceId host = topology.add_device({"h" + std::to_string(i), DeviceKind::host, i, 0});
    topology.add_cable(host, i < 2 ? fast : slow, 1e9, 1e-6, LinkKind::network);
  }
  topology.add_cable(fast, slow, 1e9, 1e-6, LinkKind::network);
  EXPECT_TRUE(allows(topology, 4, exclusive_or(4, 1)));   // within the switches
  EXPECT_FALSE(allows(topology, 4, exclusive_or(4, 2)));  // across
}

TEST(TopologySymmetry, SwitchesMoveWithTheirHosts) {
  Topology topology;
  std::vector<DeviceId> leaves;
  for (const char* name : {"a", "b"}) {
    leaves.push_back(topology.add_device({name, DeviceKind::switch_, -1, 0}));
  }
  for (int i = 0; i < 4; ++i) {
    const DeviceId host = topology.add_device({"h" + std::to_string(i), DeviceKind::host, i, 0});
    topology.add_cable(host, leaves[static_cast<std::size_t>(i / 2)], 1e9, 0, LinkKind::network);
  }
  const auto trunk = topology.add_cable(leaves[0], leaves[1], 1e9, 0, LinkKind::network);
  TopologySymmetry symmetry(topology, place_ranks(topology, 4, "block"));
  EXPECT_TRUE(symmetry.allows(exclusive_or(4, 1)));
  EXPECT_EQ(symmetry.class_size(trunk.first), 1);
  EXPECT_TRUE(symmetry.allows(exclusive_or(4, 2)));
  EXPECT_EQ(symmetry.class_size(trunk.first), 2);
  EXPECT_FALSE(symmetry.allows(shifted(4)));
}

TEST(TopologySymmetry, TorusAllowsItsTranslationsAndReflections) {
  const Topology ring = resolve_topology("torus:dims=6");
  EXPECT_TRUE(allows(ring, 6, shifted(6)));
  EXPECT_FALSE(allows(ring, 6, std::vector{1, 0, 2, 3, 4, 5}));
  EXPECT_FALSE(allows(ring, 6, shifted(6), "0,2,1,3,4,5"));

  const Topology flat = resolve_topology("torus:dims=3x4");
  EXPECT_FALSE(allows(flat, 12, shifted(12)));
  EXPECT_TRUE(allows(flat, 12, shifted(12, 4)));  // along the first dimension
  std::vector<int> along_second;
  for (int i = 0; i < 12; ++i) along_second.push_back(i / 4 * 4 + (i + 1) % 4);
  EXPECT_TRUE(allows(flat, 12, along_second));

  const Topology cube = resolve_topology("torus:dims=2x2x2");
  for (const int with : {1, 2, 4, 7}) EXPECT_TRUE(allows(cube, 8, exclusive_or(8, with)));
}

TEST(TopologySymmetry, DimensionsAreNotExchangedWhereTheirOrderDecidesTheRoute) {
  const Topology square = resolve_topology("torus:dims=3x3");
  std::vector<int> transposed;
  for (int i = 0; i < 9; ++i) transposed.push_back(i % 3 * 3 + i / 3);
  EXPECT_FALSE(allows(square, 9, transposed));
  Topology by_hops = square;
  by_hops.set_routing(RoutingPolicy::shortest);
  EXPECT_TRUE(allows(by_hops, 9, transposed));
}

TEST(TopologySymmetry, GpusMoveWithTheirNodesAndRails) {
  const Topology topology = resolve_topology("rail-optimized:nodes=4,gpus=4,pxn=true");
  ASSERT_EQ(topology.routing(), RoutingPolicy::rail);
  for (const int with : {1, 2, 4, 8, 15}) {
    EXPECT_TRUE(allows(topology, 16, exclusive_or(16, with))) << with;
  }
  EXPECT_TRUE(allows(topology, 16, shifted(16, 4)));
  EXPECT_FALSE(allows(topology, 16, shifted(16)));
  // The same devices and links, but in node 1 rails are numbered otherwise than in node 0.
  std::vector<int> twisted;
  for (int i = 0; i < 16; ++i) twisted.push_back(i < 4 ? i ^ 1 : i);
  EXPECT_FALSE(allows(topology, 16, twisted));
}

/// Where a relabelling is allowed and a route is the only one, it lands on the route of the images.
TEST(TopologySymmetry, TakesOnlyRoutesToTheRoutesOfTheImages) {
  for (const auto& [name, ranks] :
       {std::pair("torus:dims=5", 5), {"torus:dims=6", 6}, {"single-switch:hosts=5", 5}}) {
    const Topology topology = resolve_topology(name);
    const auto placement = place_ranks(topology, ranks, "block");
    TopologySymmetry symmetry(topology, placement);
    ASSERT_TRUE(symmetry.allows(shifted(ranks)));
    Router router(topology);
    for (int to = 1; to < ranks; ++to) {
      const Route first = router.route(placement[0], placement[static_cast<std::size_t>(to)]);
      if (!first.only) continue;
      for (int rank = 1; rank < ranks; ++rank) {
        const Route& route = router.route(placement[static_cast<std::size_t>(rank)],
                                          placement[static_cast<std::size_t>((rank + to) % ranks)]);
        ASSERT_EQ(route.links.size(), first.links.size());
        for (std::size_t i = 0; i < first.links.size(); ++i) {
          EXPECT_EQ(symmetry.class_of(route.links[i]), symmetry.class_of(first.links[i]));
        }
      }
    }
  }
}

TEST(TopologySymmetry, TakesRoutesOverAnotherRailToSuchRoutes) {
  const Topology topology = resolve_topology("rail-optimized:nodes=4,gpus=4,spines=1,pxn=true");
  const auto placement = place_ranks(topology, 16, "block");
  TopologySymmetry symmetry(topology, placement);
  for (const int with : {1, 2, 4, 8}) ASSERT_TRUE(symmetry.allows(exclusive_or(16, with)));
  Router router(topology);
  for (int to = 1; to < 16; ++to) {
    const Route first = router.route(placement[0], placement[static_cast<std::size_t>(to)]);
    ASSERT_TRUE(first.only);
    for (int with = 1; with < 16; ++with) {
      const Route& route = router.route(placement[static_cast<std::size_t>(with)],
                                        placement[static_cast<std::size_t>(to ^ with)]);
      ASSERT_EQ(route.links.size(), first.links.size());
      for (std::size_t i = 0; i < first.links.size(); ++i) {
        EXPECT_EQ(symmetry.class_of(route.links[i]), symmetry.class_of(first.links[i]));
      }
    }
  }
}

TEST(Route, IsTheOnlyOneUnlessNumbersOfDevicesChoose) {
  const auto only = [](const char* name, DeviceId from, DeviceId to) {
    const Topology topology = resolve_topology(name);
    return Router(topology).route(from, to).only;
  };
  EXPECT_TRUE(only("single-switch:hosts=4", 1, 4));
  EXPECT_TRUE(only("torus:dims=6", 0, 2));
  EXPECT_FALSE(only("torus:dims=6", 0, 3));
  EXPECT_TRUE(only("torus:dims=2x2", 0, 3));
  Topology two_cables;
  two_cables.add_device({"a", DeviceKind::host, 0, 0});
  two_cables.add_device({"b", DeviceKind::host, 1, 0});
  for (int i = 0; i < 2; ++i) two_cables.add_cable(0, 1, 1e9, 0, LinkKind::network);
  EXPECT_FALSE(Router(two_cables).route(0, 1).only);
}

}  // namespace
}  // namespace reducelab
