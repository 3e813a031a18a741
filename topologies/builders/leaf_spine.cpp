#include <array>

#include "topologies/builders/builder.h"
#include "topologies/limits.h"

namespace reducelab {
namespace {

constexpr std::array<BuilderParameter, 7> kParameters{{
    {"leaves", ParameterType::count, "4", "number of leaf switches"},
    {"hosts", ParameterType::count, "8", "CPU hosts on each leaf, one rank each"},
    {"spines", ParameterType::count, "2", "number of spine switches, each joined to every leaf"},
    {"bandwidth", ParameterType::bandwidth, "100Gbps", "of each host's port, per direction"},
    {"latency", ParameterType::duration, "500ns", "of each cable"},
    {"hop", ParameterType::duration, "0", "of each switch passed through"},
    {"oversubscription", ParameterType::ratio, "1",
     "host bandwidth of a leaf over its uplink bandwidth"},
}};

Topology build(const BuilderArguments& arguments) {
  const int leaves = arguments.count("leaves", 1, kMostDevices);
  const int hosts = arguments.count("hosts", 1, kMostDevices);
  const int spines = arguments.count("spines", 1, kMostDevices);
  arguments.require_at_most(1LL * leaves * hosts, kMostDevices, "hosts");
  arguments.require_at_most(1LL * leaves * spines, kMostCables, "uplinks");
  const double bandwidth = arguments.bandwidth_bytes_per_s("bandwidth");
  const double latency_s = arguments.latency_s("latency");
  const double hop_s = arguments.latency_s("hop");
  const double uplink = hosts * bandwidth / arguments.ratio("oversubscription") / spines;
  arguments.require_possible(uplink, "uplinks");

  Topology topology;
  std::vector<DeviceId> spine;
  for (int i = 0; i < spines; ++i) {
    spine.push_back(
        topology.add_device({fmt::format("spine{}", i), DeviceKind::switch_, -1, hop_s}));
  }
  for (int i = 0; i < leaves; ++i) {
    const DeviceId leaf =
        topology.add_device({fmt::format("leaf{}", i), DeviceKind::switch_, -1, hop_s});
    for (const DeviceId above : spine) {
      topology.add_cable(leaf, above, uplink, latency_s, LinkKind::network);
    }
    for (int j = i * hosts; j < (i + 1) * hosts; ++j) {
      const DeviceId host = topology.add_device({fmt::format("h{}", j), DeviceKind::host, j, 0});
      topology.add_cable(host, leaf, bandwidth, latency_s, LinkKind::network);
    }
  }
  return topology;
}

}  // namespace

Builder leaf_spine_builder() {
  return {"leaf-spine", "CPU hosts on leaf switches that are joined by spine switches.",
          kParameters, build};
}

}  // namespace reducelab
