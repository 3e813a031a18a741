#include <algorithm>
#include <array>

#include "topologies/builders/builder.h"
#include "topologies/limits.h"

namespace reducelab {
namespace {

constexpr std::array<BuilderParameter, 15> kParameters{{
    {"nodes", ParameterType::count, "2", "number of chassis"},
    {"gpus", ParameterType::count, "8", "GPUs in each chassis, one rank and one NIC each"},
    {"rails", ParameterType::count, "0",
     "leaf switches that the NICs of a chassis go to; 0: one for each"},
    {"fabric", ParameterType::fabric, "nvswitch",
     "GPUs joined by one nvswitch, or each pair directly in a mesh"},
    {"nvlink_bandwidth", ParameterType::bandwidth, "450GBps",
     "per direction: of a GPU (nvswitch) or of a pair (mesh)"},
    {"nvlink_latency", ParameterType::duration, "300ns",
     "end to end between two GPUs of a chassis"},
    {"pcie_bandwidth", ParameterType::bandwidth, "63GBps", "between a GPU and its NIC"},
    {"pcie_latency", ParameterType::duration, "400ns", "between a GPU and the wire of its NIC"},
    {"network_bandwidth", ParameterType::bandwidth, "400Gbps", "of each NIC, per direction"},
    {"cable_latency", ParameterType::duration, "50ns", "of each network cable"},
    {"switch_latency", ParameterType::duration, "130ns", "of each network switch passed through"},
    {"nodes_per_leaf", ParameterType::count, "32",
     "chassis on one set of leaves; more chassis get more sets"},
    {"spines", ParameterType::count, "4", "spine switches, if there is more than one leaf"},
    {"oversubscription", ParameterType::ratio, "1",
     "NIC bandwidth of a leaf over its uplink bandwidth"},
    {"pxn", ParameterType::flag, "false",
     "go to another rail by NVLink first instead of over a spine"},
}};

struct Parts {
  int nodes, gpus, rails, nodes_per_leaf, spines;
  bool mesh;
  double nvlink_bandwidth, nvlink_latency_s, pcie_bandwidth, pcie_latency_s;
  double network_bandwidth, cable_latency_s, switch_latency_s, oversubscription;
};

Parts read_parts(const BuilderArguments& arguments) {
  Parts parts{};
  parts.nodes = arguments.count("nodes", 1, kMostDevices);
  parts.gpus = arguments.count("gpus", 1, 1024);
  parts.rails = arguments.count("rails", 0, parts.gpus);
  if (parts.rails == 0) parts.rails = parts.gpus;
  parts.nodes_per_leaf = arguments.count("nodes_per_leaf", 1, kMostDevices);
  parts.spines = arguments.count("spines", 1, kMostDevices);
  parts.mesh = arguments.choice("fabric", {"nvswitch", "mesh"}) == "mesh";
  parts.nvlink_bandwidth = arguments.bandwidth_bytes_per_s("nvlink_bandwidth");
  parts.nvlink_latency_s = arguments.latency_s("nvlink_latency");
  parts.pcie_bandwidth = arguments.bandwidth_bytes_per_s("pcie_bandwidth");
  parts.pcie_latency_s = arguments.latency_s("pcie_latency");
  parts.network_bandwidth = arguments.bandwidth_bytes_per_s("network_bandwidth");
  parts.cable_latency_s = arguments.latency_s("cable_latency");
  parts.switch_latency_s = arguments.latency_s("switch_latency");
  parts.oversubscription = arguments.ratio("oversubscription");

  const long long gpus = 1LL * parts.nodes * parts.gpus;
  arguments.require_at_most(gpus, kMostDevices / 2, "GPUs");
  if (parts.mesh) arguments.require_at_most(gpus * (parts.gpus - 1) / 2, kMostCables, "cables");
  const long long sets = (parts.nodes + parts.nodes_per_leaf - 1LL) / parts.nodes_per_leaf;
  arguments.require_at_most(sets * parts.rails * parts.spines, kMostCables, "uplinks");
  return parts;
}

/// One chassis: its GPUs and NICs, each NIC on its rail's leaf.
void add_node(Topology& topology, const Parts& parts, int node, std::span<const DeviceId> leaves) {
  std::vector<DeviceId> gpus;
  for (int i = 0; i < parts.gpus; ++i) {
    gpus.push_back(
        topology.add_device({fmt::format("n{}.gpu{}", node, i), DeviceKind::gpu, node, 0}));
  }
  if (parts.mesh) {
    for (std::size_t a = 0; a < gpus.size(); ++a) {
      for (std::size_t b = a + 1; b < gpus.size(); ++b) {
        topology.add_cable(gpus[a], gpus[b], parts.nvlink_bandwidth, parts.nvlink_latency_s,
                           LinkKind::nvlink);
      }
    }
  } else {
    const DeviceId nvswitch =
        topology.add_device({fmt::format("n{}.nvswitch", node), DeviceKind::switch_, node, 0});
    for (const DeviceId gpu : gpus) {
      topology.add_cable(gpu, nvswitch, parts.nvlink_bandwidth, parts.nvlink_latency_s / 2,
                         LinkKind::nvlink);
    }
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const DeviceId nic =
        topology.add_device({fmt::format("n{}.nic{}", node, i), DeviceKind::nic, node, 0});
    topology.add_cable(gpus[i], nic, parts.pcie_bandwidth, parts.pcie_latency_s, LinkKind::pcie);
    topology.add_cable(nic, leaves[i % leaves.size()], parts.network_bandwidth,
                       parts.cable_latency_s, LinkKind::network);
  }
}

Topology build(const BuilderArguments& arguments) {
  const Parts parts = read_parts(arguments);
  Topology topology;
  if (arguments.flag("pxn")) topology.set_routing(RoutingPolicy::rail);
  const int sets = (parts.nodes - 1) / parts.nodes_per_leaf + 1;
  std::vector<DeviceId> spines;
  for (int i = 0; sets * parts.rails > 1 && i < parts.spines; ++i) {
    spines.push_back(topology.add_device(
        {fmt::format("spine{}", i), DeviceKind::switch_, -1, parts.switch_latency_s}));
  }
  for (int set = 0; set < sets; ++set) {
    const int first = set * parts.nodes_per_leaf;
    const int nodes = std::min(parts.nodes_per_leaf, parts.nodes - first);
    std::vector<DeviceId> leaves;
    for (int rail = 0; rail < parts.rails; ++rail) {
      const DeviceId leaf = topology.add_device({fmt::format("leaf{}", set * parts.rails + rail),
                                                 DeviceKind::switch_, -1, parts.switch_latency_s});
      leaves.push_back(leaf);
      const int nics = parts.gpus / parts.rails + (rail < parts.gpus % parts.rails ? 1 : 0);
      const double uplink =
          nodes * nics * parts.network_bandwidth / parts.oversubscription / parts.spines;
      if (!spines.empty()) arguments.require_possible(uplink, "uplinks");
      for (const DeviceId spine : spines) {
        topology.add_cable(leaf, spine, uplink, parts.cable_latency_s, LinkKind::network);
      }
    }
    for (int node = first; node < first + nodes; ++node) add_node(topology, parts, node, leaves);
  }
  return topology;
}

}  // namespace

Builder rail_optimized_builder() {
  return {"rail-optimized",
          "GPU chassis whose i-th GPUs share a leaf switch (a rail), leaves joined by spines.",
          kParameters, build};
}

}  // namespace reducelab
