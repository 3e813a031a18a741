#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

/// The way a message takes from one device to another.
struct Route {
  std::vector<LinkId> links;
  double latency_s = 0;  ///< sum over the links and over the devices passed through
  /// The narrowest link; infinite for the empty route.
  double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
  LinkKind kind = LinkKind::nvlink;  ///< slowest class on the way: network > pcie > nvlink
  bool only = true;  ///< no other way was as good, so numbers of devices did not decide
};

/// Finds and remembers routes. The topology must outlive the router and not change meanwhile.
/// Equal paths are chosen among by a hash of (from, to), so the same pair always takes the same one
/// and many pairs spread evenly (ECMP). Not for use by several threads at once.
class Router {
 public:
  explicit Router(const Topology& topology);

  /// The route, cached (the reference stays valid as long as the router). `from == to` is the empty
  /// route. Throws a usage Error naming both devices if there is no way.
  const Route& route(DeviceId from, DeviceId to);

 private:
  using HopTable = std::vector<std::uint32_t>;  // per forwarding device: links left to the target

  void append_shortest(DeviceId from, DeviceId to, Route& route);
  void append_by_dimension(DeviceId from, DeviceId to, Route& route) const;
  /// The local GPU on the rail of `to`, or -1 if the route should not go by way of it.
  DeviceId rail_relay(DeviceId from, DeviceId to) const;
  const HopTable& hops_towards(DeviceId to);
  void measure(DeviceId from, Route& route) const;
  [[noreturn]] void throw_unreachable(DeviceId from, DeviceId to) const;

  const Topology& topology_;
  std::vector<int> forwarder_;                    // device -> index among forwarding devices, or -1
  std::vector<std::vector<Edge>> forwarder_out_;  // edges between forwarding devices only
  std::vector<std::vector<int>> forwarder_in_;    // likewise, as forwarder indices
  std::vector<std::vector<DeviceId>> gpus_of_node_;  // for RoutingPolicy::rail
  std::vector<int> rail_of_;
  // Devices attached to the same forwarders share one table: a switch of 65536 hosts needs one.
  std::map<std::vector<DeviceId>, HopTable> tables_;
  std::unordered_map<std::uint64_t, Route> routes_;
  std::vector<Edge> candidates_;
};

}  // namespace reducelab
