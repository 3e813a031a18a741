#include <gtest/gtest.h>

#include "topologies/catalogue.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

/// "a > b > c" for the devices of a route.
std::string path(const Topology& topology, const std::string& from, const std::string& to) {
  Router router(topology);
  DeviceId here = *topology.find_device(from);
  std::string text = from;
  for (const LinkId link : router.route(here, *topology.find_device(to)).links) {
    here = topology.link(link).to;
    text += " > " + topology.device(here).name;
  }
  return text;
}

const Route& route(Router& router, const Topology& topology, std::string_view from,
                   std::string_view to) {
  return router.route(*topology.find_device(from), *topology.find_device(to));
}

TEST(RailOptimized, StaysOnNvswitchWithinANode) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4");
  EXPECT_EQ(path(topology, "n0.gpu0", "n0.gpu5"), "n0.gpu0 > n0.nvswitch > n0.gpu5");
  Router router(topology);
  const Route& inside = route(router, topology, "n0.gpu0", "n0.gpu5");
  EXPECT_NEAR(inside.latency_s, 300e-9, 1e-18);
  EXPECT_DOUBLE_EQ(inside.bandwidth_bytes_per_s, 450e9);
  EXPECT_EQ(inside.kind, LinkKind::nvlink);
}

TEST(RailOptimized, TakesOneLeafOnTheSameRail) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4");
  EXPECT_EQ(path(topology, "n0.gpu3", "n2.gpu3"), "n0.gpu3 > n0.nic3 > leaf3 > n2.nic3 > n2.gpu3");
  Router router(topology);
  const Route& rail = route(router, topology, "n0.gpu3", "n2.gpu3");
  EXPECT_NEAR(rail.latency_s, (400 + 50 + 130 + 50 + 400) * 1e-9, 1e-18);
  EXPECT_DOUBLE_EQ(rail.bandwidth_bytes_per_s, 50e9);
  EXPECT_EQ(rail.kind, LinkKind::network);
}

TEST(RailOptimized, CrossesASpineToAnotherRail) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4,spines=1,pxn=false");
  EXPECT_EQ(path(topology, "n0.gpu0", "n1.gpu5"),
            "n0.gpu0 > n0.nic0 > leaf0 > spine0 > leaf5 > n1.nic5 > n1.gpu5");
  Router router(topology);
  EXPECT_NEAR(route(router, topology, "n0.gpu0", "n1.gpu5").latency_s,
              (2 * 400 + 4 * 50 + 3 * 130) * 1e-9, 1e-18);
}

TEST(RailOptimized, WithPxnGoesByNvlinkToTheDestinationsRailFirst) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4,pxn=true");
  EXPECT_EQ(path(topology, "n0.gpu0", "n1.gpu5"),
            "n0.gpu0 > n0.nvswitch > n0.gpu5 > n0.nic5 > leaf5 > n1.nic5 > n1.gpu5");
  EXPECT_EQ(path(topology, "n0.gpu0", "n1.gpu0"), "n0.gpu0 > n0.nic0 > leaf0 > n1.nic0 > n1.gpu0");
  EXPECT_EQ(path(topology, "n0.gpu0", "n0.gpu5"), "n0.gpu0 > n0.nvswitch > n0.gpu5");
}

TEST(RailOptimized, PutsNodesBeyondALeafsPortsOnAnotherSetOfLeaves) {
  const Topology topology = resolve_topology("dgx-h100:nodes=33,spines=1");
  EXPECT_EQ(path(topology, "n0.gpu2", "n32.gpu2"),
            "n0.gpu2 > n0.nic2 > leaf2 > spine0 > leaf10 > n32.nic2 > n32.gpu2");
  // Full uplinks: 32 NICs of 400 Gb/s below leaf2, one below leaf10.
  const auto uplink = [&](std::string_view leaf) {
    for (const Edge edge : topology.out_edges(*topology.find_device(leaf))) {
      if (topology.device(edge.peer).name == "spine0") {
        return topology.link(edge.link).bandwidth_bytes_per_s;
      }
    }
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(uplink("leaf2"), 32 * 50e9);
  EXPECT_DOUBLE_EQ(uplink("leaf10"), 50e9);
}

TEST(RailOptimized, JoinsGh200PairsDirectlyAndNodesOverOneSwitch) {
  const Topology topology = resolve_topology("gh200-quad:nodes=2");
  EXPECT_EQ(path(topology, "n0.gpu0", "n0.gpu3"), "n0.gpu0 > n0.gpu3");
  EXPECT_EQ(path(topology, "n0.gpu0", "n1.gpu3"), "n0.gpu0 > n0.nic0 > leaf0 > n1.nic3 > n1.gpu3");
  Router router(topology);
  EXPECT_DOUBLE_EQ(route(router, topology, "n0.gpu0", "n0.gpu3").bandwidth_bytes_per_s, 150e9);
  EXPECT_DOUBLE_EQ(route(router, topology, "n0.gpu0", "n1.gpu3").bandwidth_bytes_per_s, 25e9);
}

}  // namespace
}  // namespace reducelab
