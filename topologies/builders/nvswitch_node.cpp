#include <array>

#include "topologies/builders/builder.h"

namespace reducelab {
namespace {

constexpr std::array<BuilderParameter, 3> kParameters{{
    {"gpus", ParameterType::count, "8", "number of GPUs, one rank each"},
    {"bandwidth", ParameterType::bandwidth, "450GBps", "of each GPU's NVLinks, per direction"},
    {"latency", ParameterType::duration, "300ns", "end to end between two GPUs"},
}};

Topology build(const BuilderArguments& arguments) {
  const int gpus = arguments.count("gpus", 1, 1024);
  const double bandwidth = arguments.bandwidth_bytes_per_s("bandwidth");
  const double latency_s = arguments.latency_s("latency");
  Topology topology;
  const DeviceId center = topology.add_device({"nvswitch", DeviceKind::switch_, 0, 0});
  for (int i = 0; i < gpus; ++i) {
    const DeviceId gpu = topology.add_device({fmt::format("gpu{}", i), DeviceKind::gpu, 0, 0});
    topology.add_cable(gpu, center, bandwidth, latency_s / 2, LinkKind::nvlink);
  }
  return topology;
}

}  // namespace

Builder nvswitch_node_builder() {
  return {"nvswitch-node", "One chassis of GPUs joined by NVSwitch.", kParameters, build};
}

}  // namespace reducelab
