#include "topologies/toml_writer.h"

#include <gmock/gmock.h>

#include "core/rng.h"
#include "topologies/catalogue.h"
#include "topologies/toml_reader.h"

namespace reducelab {
namespace {

TEST(TopologyWriter, EveryPresetAndBuilderReadsBackEqual) {
  for (const TopologyEntry& entry : topology_catalogue()) {
    const Topology topology = resolve_topology(entry.name);
    const Topology again = read_topology_toml(write_topology_toml(topology), "written.toml");
    EXPECT_TRUE(again == topology) << entry.name;
  }
}

TEST(TopologyWriter, KeepsEveryBitOfArbitraryNumbers) {
  const RandomStream random(7, RandomPurpose::test, 0);
  Topology topology("numbers");
  const DeviceId a = topology.add_device({"a", DeviceKind::host, 0, 1.0 / 3e7});
  const DeviceId b = topology.add_device({"b", DeviceKind::host, 1, 0});
  for (std::uint64_t i = 0; i < 500; ++i) {
    topology.add_link({"", a, b, 1 + 1e12 * random.uniform(2 * i), 1e-3 * random.uniform(2 * i + 1),
                       LinkKind::network, false});
  }
  EXPECT_TRUE(read_topology_toml(write_topology_toml(topology), "w.toml") == topology);
}

TEST(TopologyWriter, KeepsNamesDuplexDirectionAndRouting) {
  Topology topology("odd \"name\"\n");
  topology.set_description("tab\there \\ \x7f");
  topology.set_routing(RoutingPolicy::rail);
  topology.set_hosts_forward(true);
  const DeviceId a = topology.add_device({"a:x", DeviceKind::gpu, 3, 0});
  const DeviceId b = topology.add_device({"b\"", DeviceKind::nic, -1, 2e-7});
  topology.add_cable(a, b, 1e9, 1e-6, LinkKind::pcie);
  topology.add_cable(a, b, 1e9, 1e-6, LinkKind::pcie);
  topology.add_cable(a, b, 1e9, 1e-6, LinkKind::nvlink, "spare");
  topology.add_link({"", b, a, 1e9, 1e-6, LinkKind::network, true});
  topology.add_link({"up", a, b, 1e9, 1e-6, LinkKind::network, false});
  topology.add_link({"down", b, a, 1e9, 1e-6, LinkKind::network, false});
  topology.add_link({"", a, b, 2e9, 1e-6, LinkKind::network, false});
  EXPECT_TRUE(read_topology_toml(write_topology_toml(topology), "w.toml") == topology);
}

TEST(TopologyWriter, WritesWhatAPersonWouldWrite) {
  const std::string text =
      write_topology_toml(resolve_topology("single-switch:hosts=1,bandwidth=100Gbps,latency=3us"));
  EXPECT_THAT(text, testing::HasSubstr("[[link]]\nbetween = [\"h0\", \"switch\"]\n"
                                       "bandwidth = \"100Gbps\"\nlatency = \"1.5us\"\n"));
}

}  // namespace
}  // namespace reducelab
