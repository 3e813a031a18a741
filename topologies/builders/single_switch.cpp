#include <array>

#include "topologies/builders/builder.h"
#include "topologies/limits.h"

namespace reducelab {
namespace {

constexpr std::array<BuilderParameter, 3> kParameters{{
    {"hosts", ParameterType::count, "16", "number of CPU hosts, one rank each"},
    {"bandwidth", ParameterType::bandwidth, "100Gbps", "of each host's port, per direction"},
    {"latency", ParameterType::duration, "1us", "end to end between two hosts"},
}};

Topology build(const BuilderArguments& arguments) {
  const int hosts = arguments.count("hosts", 1, kMostDevices);
  const double bandwidth = arguments.bandwidth_bytes_per_s("bandwidth");
  const double latency_s = arguments.latency_s("latency");
  Topology topology;
  const DeviceId center = topology.add_device({"switch", DeviceKind::switch_, -1, 0});
  for (int i = 0; i < hosts; ++i) {
    const DeviceId host = topology.add_device({fmt::format("h{}", i), DeviceKind::host, i, 0});
    topology.add_cable(host, center, bandwidth, latency_s / 2, LinkKind::network);
  }
  return topology;
}

}  // namespace

Builder single_switch_builder() {
  return {"single-switch", "CPU hosts on one non-blocking switch.", kParameters, build};
}

}  // namespace reducelab
