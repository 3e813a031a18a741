#include "topologies/check.h"

#include <gmock/gmock.h>

#include "tests/topologies/error_of.h"
#include "topologies/bisection.h"
#include "topologies/catalogue.h"
#include "topologies/toml_reader.h"

namespace reducelab {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

auto finding(Severity severity, const std::string& text) {
  return AllOf(Field(&TopologyFinding::severity, severity), Field(&TopologyFinding::message, HasSubstr(text)));
}

Topology pair_on_a_switch() {
  Topology topology("pair");
  topology.add_device({"a", DeviceKind::host, 0, 0});
  topology.add_device({"b", DeviceKind::host, 1, 0});
  topology.add_device({"s", DeviceKind::switch_, -1, 0});
  return topology;
}

TEST(Check, FindsEndpointsThatAreCutOffAndCountsThem) {
  Topology topology = pair_on_a_switch();
  topology.add_cable(0, 2, 1e9, 0, LinkKind::network);
  topology.add_cable(1, 2, 1e9, 0, LinkKind::network);
  EXPECT_TRUE(check_topology(topology).empty());
  topology.add_device({"c", DeviceKind::host, 2, 0});
  const auto findings = check_topology(topology);
  EXPECT_THAT(findings, Contains(finding(Severity::error, "(and 3 more pairs are cut off)")));
  EXPECT_THAT(findings, Contains(finding(Severity::warning, "\"c\" has no link")));
}

TEST(Check, FindsTwoHostsThatShareAOneWaySwitch) {
  Topology topology = pair_on_a_switch();
  topology.add_link({"", 0, 2, 1e9, 0, LinkKind::network, false});
  topology.add_link({"", 1, 2, 1e9, 0, LinkKind::network, false});
  EXPECT_THAT(check_topology(topology),
              Contains(finding(Severity::error, "(and 1 more pairs are cut off)")));
}

TEST(Check, AcceptsAFullMeshWithoutAnySwitch) {
  EXPECT_TRUE(check_topology(resolve_topology("gh200-quad:nodes=1")).empty());
  Topology mesh("mesh");
  for (int i = 0; i < 4; ++i) {
    mesh.add_device({fmt::format("g{}", i), DeviceKind::gpu, 0, 0});
    for (int j = 0; j < i; ++j) mesh.add_cable(j, i, 1e11, 0, LinkKind::nvlink);
  }
  EXPECT_TRUE(check_topology(mesh).empty());
}

TEST(Check, FindsAMissingDirection) {
  Topology topology = pair_on_a_switch();
  topology.add_cable(0, 2, 1e9, 0, LinkKind::network);
  topology.add_link({"", 1, 2, 1e9, 0, LinkKind::network, false});
  EXPECT_THAT(check_topology(topology),
              ElementsAre(finding(Severity::error, "\"a\" cannot reach \"b\""),
                          finding(Severity::warning, "from \"b\" to \"s\" but none back")));
}

TEST(Check, FindsDirectionsThatDiffer) {
  Topology topology = pair_on_a_switch();
  topology.add_cable(0, 2, 1e9, 0, LinkKind::network);
  const auto [up, down] = topology.add_cable(1, 2, 1e9, 0, LinkKind::network);
  topology.set_bandwidth(down, 0.5e9);
  EXPECT_THAT(
      check_topology(topology),
      ElementsAre(finding(Severity::warning, "\"b\" to \"s\" has 8Gbps, the other way has 4Gbps")));
}

TEST(Check, FindsZeroAndAbsurdValues) {
  Topology topology = pair_on_a_switch();
  topology.add_cable(0, 2, 0, 0, LinkKind::network);
  topology.add_cable(1, 2, 1e18, 60, LinkKind::network);
  const auto findings = check_topology(topology);
  EXPECT_THAT(findings, Contains(finding(Severity::error, "\"a->s\" has a bandwidth of 0")));
  EXPECT_THAT(findings, Contains(finding(Severity::error, "\"s->b\" has a bandwidth of 1e+18")));
  Topology late = pair_on_a_switch();
  late.add_cable(0, 2, 1e9, 60, LinkKind::network);
  EXPECT_THAT(check_topology(late), Contains(finding(Severity::error, "a latency of 60 s")));
}

TEST(Check, SuspectsALinkAHundredTimesSlowerThanTheOthers) {
  Topology topology = resolve_topology("single-switch:hosts=8,bandwidth=100Gbps");
  topology.set_bandwidth(4, 12.5e9 / 200);
  topology.set_bandwidth(5, 12.5e9 / 200);
  EXPECT_THAT(check_topology(topology),
              ElementsAre(finding(Severity::warning, "\"h2->switch\" has 500Mbps"),
                          finding(Severity::warning, "\"switch->h2\" has 500Mbps")));
}

TEST(Check, FindsNoPlaceForARank) {
  Topology topology("none");
  topology.add_device({"s", DeviceKind::switch_, -1, 0});
  EXPECT_THAT(check_topology(topology),
              ElementsAre(finding(Severity::error, "no place for a rank")));
}

TEST(Check, FindsASlowNic) {
  Topology topology = resolve_topology("dgx-h100:nodes=4");
  for (LinkId id = 0; id < static_cast<LinkId>(topology.links().size()); ++id) {
    const std::string& name = topology.link(id).name;
    if (name == "n2.nic3->leaf3" || name == "leaf3->n2.nic3") topology.set_bandwidth(id, 25e9);
  }
  EXPECT_THAT(check_topology(topology),
              ElementsAre(finding(Severity::warning,
                                  "node 2 has 3Tbps to the network, other nodes "
                                  "have 3.2Tbps"),
                          finding(Severity::warning,
                                  "\"n2.nic3\" has 200Gbps, another NIC of its "
                                  "node has 400Gbps")));
}

/// Three chassis of two GPUs and two NICs; `leaf_of_last` gives the leaves of the last one's NICs.
Topology three_nodes(int first_leaf_of_last, int second_leaf_of_last) {
  Topology topology("rails");
  const std::vector<DeviceId> leaves{topology.add_device({"leaf0", DeviceKind::switch_, -1, 0}),
                                     topology.add_device({"leaf1", DeviceKind::switch_, -1, 0})};
  topology.add_cable(leaves[0], leaves[1], 1e11, 0, LinkKind::network);
  for (int node = 0; node < 3; ++node) {
    for (int i = 0; i < 2; ++i) {
      const DeviceId gpu =
          topology.add_device({fmt::format("n{}.gpu{}", node, i), DeviceKind::gpu, node, 0});
      const DeviceId nic =
          topology.add_device({fmt::format("n{}.nic{}", node, i), DeviceKind::nic, node, 0});
      int leaf = i;
      if (node == 2) leaf = i == 0 ? first_leaf_of_last : second_leaf_of_last;
      topology.add_cable(gpu, nic, 6e10, 0, LinkKind::pcie);
      topology.add_cable(nic, leaves.at(static_cast<std::size_t>(leaf)), 5e10, 0,
                         LinkKind::network);
    }
  }
  return topology;
}

TEST(Check, FindsSwappedRails) {
  EXPECT_TRUE(check_topology(three_nodes(0, 1)).empty());
  EXPECT_THAT(check_topology(three_nodes(1, 0)),
              ElementsAre(finding(Severity::warning,
                                  "\"n2.nic0\" is on \"leaf1\" where other nodes are on \"leaf0\""),
                          finding(Severity::warning, "\"n2.nic1\" is on \"leaf0\"")));
}

TEST(Check, DoesNotMindANodeWithAllNicsOnOneLeafButMindsAnUnevenSpread) {
  EXPECT_TRUE(check_topology(three_nodes(0, 0)).empty());
  const Topology uneven = resolve_topology("rail-optimized:nodes=2,gpus=3,rails=2");
  EXPECT_THAT(check_topology(uneven),
              Contains(finding(Severity::warning, "node 0 has 2 NICs on \"leaf0\" but 1 on")));
}

TEST(Bisection, IsTheMaximumFlowBetweenTheHalves) {
  const auto of = [](std::string_view argument) {
    return bisection_bytes_per_s(resolve_topology(argument)).value();
  };
  EXPECT_DOUBLE_EQ(of("single-switch:hosts=8,bandwidth=100Gbps"), 4 * 12.5e9);
  EXPECT_DOUBLE_EQ(of("single-switch:hosts=5,bandwidth=100Gbps"), 2 * 12.5e9);
  EXPECT_DOUBLE_EQ(of("leaf-spine:leaves=2,hosts=16,spines=4,bandwidth=100Gbps,oversubscription=4"),
                   4 * 12.5e9);
  EXPECT_DOUBLE_EQ(of("dgx-h100:nodes=4"), 16 * 50e9);
  EXPECT_DOUBLE_EQ(of("torus:dims=8x8,bandwidth=80Gbps"), 16 * 1e10);
  EXPECT_FALSE(bisection_bytes_per_s(resolve_topology("single-switch:hosts=1")).has_value());
}

TEST(Describe, ShowsCountsClassesAndRoutes) {
  const std::string text = describe_topology(resolve_topology("dgx-h100:nodes=4"));
  EXPECT_THAT(text, HasSubstr("4 nodes, 32 GPUs, 32 NICs, 16 switches"));
  EXPECT_THAT(text, HasSubstr("32 places for ranks, rail routing"));
  EXPECT_THAT(text, HasSubstr("nvlink           64      3.6Tbps      150ns"));
  EXPECT_THAT(text, HasSubstr("from the first half of the places to the second: 6.4Tbps"));
  EXPECT_THAT(text, HasSubstr("n0.gpu0 > n0.nic0 > leaf0 > n1.nic0 > n1.gpu0: 1.03us, 400Gbps"));
}

TEST(Describe, SaysWhichRouteThereIsNot) {
  Topology topology = pair_on_a_switch();
  EXPECT_THAT(describe_topology(topology), HasSubstr("no route from \"a\" to \"b\""));
}

}  // namespace
}  // namespace reducelab
