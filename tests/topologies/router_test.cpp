#include "topologies/router.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tests/topologies/error_of.h"
#include "topologies/catalogue.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

std::vector<std::string> names_along(const Topology& topology, const Route& route) {
  std::vector<std::string> names;
  for (const LinkId link : route.links) names.push_back(topology.link(link).name);
  return names;
}

TEST(SingleSwitch, RouteHasTheEndToEndLatencyAndThePortsBandwidth) {
  const Topology topology = resolve_topology("single-switch:hosts=4,bandwidth=100Gbps,latency=2us");
  Router router(topology);
  const auto hosts = topology.endpoints();
  const Route& route = router.route(hosts[1], hosts[3]);
  EXPECT_EQ(names_along(topology, route), (std::vector<std::string>{"h1->switch", "switch->h3"}));
  EXPECT_DOUBLE_EQ(route.latency_s, 2e-6);
  EXPECT_DOUBLE_EQ(route.bandwidth_bytes_per_s, 12.5e9);
  EXPECT_EQ(route.kind, LinkKind::network);
}

TEST(Router, RouteToItselfIsEmptyAndCostsNothing) {
  const Topology topology = resolve_topology("single-switch:hosts=2");
  Router router(topology);
  const Route& route = router.route(topology.endpoints()[0], topology.endpoints()[0]);
  EXPECT_TRUE(route.links.empty());
  EXPECT_EQ(route.latency_s, 0);
  EXPECT_TRUE(std::isinf(route.bandwidth_bytes_per_s));
}

TEST(Router, AddsTheLatencyOfDevicesPassedThroughButNotOfTheEnds) {
  Topology topology("t");
  const DeviceId a = topology.add_device({"a", DeviceKind::host, 0, 100});
  const DeviceId s = topology.add_device({"s", DeviceKind::switch_, -1, 3e-7});
  const DeviceId b = topology.add_device({"b", DeviceKind::host, 1, 100});
  topology.add_cable(a, s, 5e9, 1e-6, LinkKind::pcie);
  topology.add_cable(s, b, 4e9, 2e-6, LinkKind::network);
  Router router(topology);
  EXPECT_DOUBLE_EQ(router.route(a, b).latency_s, 1e-6 + 3e-7 + 2e-6);
  EXPECT_DOUBLE_EQ(router.route(a, b).bandwidth_bytes_per_s, 4e9);
  EXPECT_EQ(router.route(a, b).kind, LinkKind::network);
  EXPECT_EQ(router.route(a, s).kind, LinkKind::pcie);
}

TEST(Router, DoesNotPassThroughHostsUnlessTheyForward) {
  Topology topology("line");
  const DeviceId a = topology.add_device({"a", DeviceKind::host, 0, 0});
  const DeviceId b = topology.add_device({"b", DeviceKind::host, 1, 5e-7});
  const DeviceId c = topology.add_device({"c", DeviceKind::host, 2, 0});
  topology.add_cable(a, b, 1e9, 1e-6, LinkKind::network);
  topology.add_cable(b, c, 1e9, 1e-6, LinkKind::network);
  const std::string error = error_of([&] { Router(topology).route(a, c); });
  EXPECT_THAT(error, HasSubstr("no route from \"a\" to \"c\" in topology \"line\""));
  topology.set_hosts_forward(true);
  EXPECT_DOUBLE_EQ(Router(topology).route(a, c).latency_s, 2.5e-6);
}

TEST(Router, UsesAHalfDuplexLinkBothWays) {
  Topology topology("t");
  const DeviceId a = topology.add_device({"a", DeviceKind::host, 0, 0});
  const DeviceId b = topology.add_device({"b", DeviceKind::host, 1, 0});
  const LinkId bus = topology.add_link({"", a, b, 1e9, 1e-6, LinkKind::pcie, true});
  Router router(topology);
  EXPECT_EQ(router.route(a, b).links, std::vector<LinkId>{bus});
  EXPECT_EQ(router.route(b, a).links, std::vector<LinkId>{bus});
}

TEST(LeafSpine, RoutesThroughTheLeafAloneOrOverASpine) {
  const Topology topology = resolve_topology(
      "leaf-spine:leaves=2,hosts=4,spines=1,bandwidth=100Gbps,latency=100ns,hop=30ns,"
      "oversubscription=2");
  Router router(topology);
  const auto hosts = topology.endpoints();
  EXPECT_NEAR(router.route(hosts[0], hosts[3]).latency_s, 230e-9, 1e-18);
  const Route& far = router.route(hosts[0], hosts[4]);
  EXPECT_EQ(names_along(topology, far),
            (std::vector<std::string>{"h0->leaf0", "leaf0->spine0", "spine0->leaf1", "leaf1->h4"}));
  EXPECT_NEAR(far.latency_s, 490e-9, 1e-18);
}

TEST(LeafSpine, UplinksOfALeafCarryItsHostsBandwidthOverTheOversubscription) {
  const Topology topology = resolve_topology(
      "leaf-spine:leaves=3,hosts=16,spines=4,bandwidth=100Gbps,oversubscription=3");
  double uplinks = 0;
  for (const Edge edge : topology.out_edges(*topology.find_device("leaf1"))) {
    if (topology.device(edge.peer).name.starts_with("spine")) {
      uplinks += topology.link(edge.link).bandwidth_bytes_per_s;
    }
  }
  EXPECT_DOUBLE_EQ(uplinks, 16 * 12.5e9 / 3);
}

TEST(Ecmp, SpreadsPairsEvenlyOverTheSpines) {
  const Topology topology = resolve_topology("leaf-spine:leaves=2,hosts=64,spines=8");
  Router router(topology);
  const auto hosts = topology.endpoints();
  std::vector<int> used(topology.devices().size());
  for (std::size_t from = 0; from < 64; ++from) {
    for (std::size_t to = 64; to < 128; ++to) {
      const Route& route = router.route(hosts[from], hosts[to]);
      ASSERT_EQ(route.links.size(), 4u);
      ++used[static_cast<std::size_t>(topology.link(route.links[1]).to)];
    }
  }
  for (int i = 0; i < 8; ++i) {
    const auto spine = static_cast<std::size_t>(*topology.find_device("spine" + std::to_string(i)));
    // 4096 pairs over 8: 512 each, with a standard deviation of 21.
    EXPECT_NEAR(used[spine], 512, 110) << i;
  }
}

TEST(Ecmp, ChoosesTheSameWayInEveryRouter) {
  const Topology topology = resolve_topology("leaf-spine:leaves=4,hosts=8,spines=8");
  const auto hosts = topology.endpoints();
  Router forward(topology);
  Router backward(topology);
  std::set<LinkId> uplinks;
  for (std::size_t i = 0; i < 8; ++i) forward.route(hosts[i], hosts[31 - i]);
  for (std::size_t i = 8; i-- > 0;) {
    const Route& again = backward.route(hosts[i], hosts[31 - i]);
    EXPECT_EQ(forward.route(hosts[i], hosts[31 - i]).links, again.links);
    uplinks.insert(again.links[1]);
  }
  EXPECT_GT(uplinks.size(), 1u);
}

TEST(Ecmp, SpreadsOverParallelCables) {
  Topology topology("t");
  const DeviceId left = topology.add_device({"left", DeviceKind::switch_, -1, 0});
  const DeviceId right = topology.add_device({"right", DeviceKind::switch_, -1, 0});
  topology.add_cable(left, right, 1e9, 0, LinkKind::network);
  topology.add_cable(left, right, 1e9, 0, LinkKind::network);
  for (int i = 0; i < 16; ++i) {
    const DeviceId host = topology.add_device({fmt::format("h{}", i), DeviceKind::host, i, 0});
    topology.add_cable(host, i < 8 ? left : right, 1e9, 0, LinkKind::network);
  }
  Router router(topology);
  std::set<LinkId> used;
  const auto hosts = topology.endpoints();
  for (std::size_t i = 0; i < 8; ++i) used.insert(router.route(hosts[i], hosts[15 - i]).links[1]);
  EXPECT_EQ(used.size(), 2u);
}

TEST(Router, RingOver65536HostsOnOneSwitchNeedsNoTablePerHost) {
  const Topology topology = resolve_topology("single-switch:hosts=65536");
  Router router(topology);
  const auto hosts = topology.endpoints();
  std::size_t links = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    links += router.route(hosts[i], hosts[(i + 1) % hosts.size()]).links.size();
  }
  EXPECT_EQ(links, 2 * hosts.size());
}

}  // namespace
}  // namespace reducelab
