#include <array>

#include "topologies/builders/builder.h"

namespace reducelab {
namespace {

constexpr std::array<BuilderParameter, 4> kParameters{{
    {"dims", ParameterType::extents, "4x4", "extents of 1 to 3 dimensions, such as 8x8x4"},
    {"bandwidth", ParameterType::bandwidth, "400Gbps", "of each cable, per direction"},
    {"latency", ParameterType::duration, "100ns", "of each cable"},
    {"hop", ParameterType::duration, "300ns", "of each host passed through"},
}};

std::string name_at(const std::vector<int>& position) {
  return fmt::format("h{}", fmt::join(position, "."));
}

/// Cables from one position to its next along each dimension, round the end. Two positions are
/// joined by one cable, not two, and a dimension of extent 1 has none.
void add_cables(Topology& topology, const std::vector<int>& extents, DeviceId here,
                const std::vector<int>& position, double bandwidth, double latency_s) {
  int stride = 1;
  for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d]) {
    const bool at_end = position[d] + 1 == extents[d];
    if (extents[d] == 1 || (extents[d] == 2 && at_end)) continue;
    const DeviceId next = here + (at_end ? -position[d] : 1) * stride;
    topology.add_cable(here, next, bandwidth, latency_s, LinkKind::network);
  }
}

Topology build(const BuilderArguments& arguments) {
  const std::vector<int> extents = arguments.extents("dims");
  const double bandwidth = arguments.bandwidth_bytes_per_s("bandwidth");
  const double latency_s = arguments.latency_s("latency");
  const double hop_s = arguments.latency_s("hop");
  Topology topology;
  topology.set_routing(RoutingPolicy::dimension_order);
  topology.set_torus_extents(extents);
  topology.set_hosts_forward(true);

  int count = 1;
  for (const int extent : extents) count *= extent;
  std::vector<std::vector<int>> positions;
  for (DeviceId id = 0; id < count; ++id) {
    std::vector<int> position(extents.size());
    int rest = id;
    for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d]) {
      position[d] = rest % extents[d];
    }
    topology.add_device({name_at(position), DeviceKind::host, id, hop_s});
    positions.push_back(std::move(position));
  }
  for (DeviceId id = 0; id < count; ++id) {
    add_cables(topology, extents, id, positions[static_cast<std::size_t>(id)], bandwidth,
               latency_s);
  }
  return topology;
}

}  // namespace

Builder torus_builder() {
  return {"torus", "CPU hosts on a 1D to 3D torus, routed one dimension after another.",
          kParameters, build};
}

}  // namespace reducelab
