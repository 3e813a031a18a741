#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace reducelab {

using DeviceId = int;
using LinkId = int;

/// What a device is; `host` is a CPU node that can hold a rank.
enum class DeviceKind : std::uint8_t { host, gpu, nic, switch_ };
/// Link technologies, fastest class first (Route::kind relies on the order).
enum class LinkKind : std::uint8_t { nvlink, pcie, network };
/// How a path is chosen. `rail`: as `shortest`, but between GPUs of different nodes and rails
/// NVLink leads first to the local GPU on the destination's rail (NCCL's PXN).
enum class RoutingPolicy : std::uint8_t { shortest, rail, dimension_order };

struct Device {
  std::string name;
  DeviceKind kind = DeviceKind::host;
  int node = -1;         ///< index of the chassis it sits in; -1 for switches outside
  double latency_s = 0;  ///< added when a route passes through this device
  bool operator==(const Device&) const = default;
};

/// One direction of a cable, or with `shared` both directions on one capacity (half duplex).
struct Link {
  std::string name;
  DeviceId from = -1;
  DeviceId to = -1;
  double bandwidth_bytes_per_s = 0;
  double latency_s = 0;
  LinkKind kind = LinkKind::network;
  bool shared = false;
  bool operator==(const Link&) const = default;
};

/// A link as seen from one of its ends.
struct Edge {
  LinkId link;
  DeviceId peer;  ///< the device at the other end
};

/// A directed graph of devices and links, with the rule by which routes are chosen.
class Topology {
 public:
  explicit Topology(std::string name = {}) : name_(std::move(name)) {}

  /// Throws a usage Error if the name is empty or taken.
  DeviceId add_device(Device device);
  /// Adds one direction (or a shared link). An empty name becomes `from->to` (`from--to` if
  /// shared), with `#2`, `#3` ... for parallel ones; a name that is taken is a usage Error.
  LinkId add_link(Link link);
  /// Adds a full-duplex cable: two links `a->b` and `b->a`, or `name:a->b` and `name:b->a`.
  std::pair<LinkId, LinkId> add_cable(DeviceId a, DeviceId b, double bandwidth_bytes_per_s,
                                      double latency_s, LinkKind kind,
                                      const std::string& name = {});

  void set_name(std::string name) { name_ = std::move(name); }
  void set_description(std::string text) { description_ = std::move(text); }
  void set_bandwidth(LinkId link, double bytes_per_s);
  void set_latency(LinkId link, double seconds);
  void set_routing(RoutingPolicy policy) { routing_ = policy; }
  /// Extents of a torus whose devices were added in row-major order (last extent fastest).
  void set_torus_extents(std::vector<int> extents) { torus_extents_ = std::move(extents); }
  /// Lets routes pass through hosts and GPUs too (rings, tori); otherwise only NICs and switches
  /// do.
  void set_hosts_forward(bool forward) { hosts_forward_ = forward; }

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  RoutingPolicy routing() const { return routing_; }
  const std::vector<int>& torus_extents() const { return torus_extents_; }
  bool hosts_forward() const { return hosts_forward_; }
  std::span<const Device> devices() const { return devices_; }
  std::span<const Link> links() const { return links_; }
  const Device& device(DeviceId id) const { return devices_.at(static_cast<std::size_t>(id)); }
  const Link& link(LinkId id) const { return links_.at(static_cast<std::size_t>(id)); }

  /// The places for ranks, in rank order: all GPUs if there is any GPU, else all hosts.
  std::vector<DeviceId> endpoints() const;
  std::optional<DeviceId> find_device(std::string_view name) const;
  /// Links that lead away from a device (a shared link leads away from both of its ends).
  std::span<const Edge> out_edges(DeviceId id) const {
    return out_.at(static_cast<std::size_t>(id));
  }
  std::span<const Edge> in_edges(DeviceId id) const { return in_.at(static_cast<std::size_t>(id)); }
  /// True if a route may pass through the device.
  bool forwards(DeviceId id) const;

  /// Same name, description, routing, devices and links in the same order.
  bool operator==(const Topology& other) const;

 private:
  std::string name_;
  std::string description_;
  RoutingPolicy routing_ = RoutingPolicy::shortest;
  bool hosts_forward_ = false;
  std::vector<int> torus_extents_;
  std::vector<Device> devices_;
  std::vector<Link> links_;
  std::vector<std::vector<Edge>> out_;
  std::vector<std::vector<Edge>> in_;
  std::unordered_map<std::string, DeviceId> device_by_name_;
  std::unordered_set<std::string> link_names_;
};

/// The words of TOML files and tables: `host`, `gpu`, `nic`, `switch`.
std::string_view name_of(DeviceKind kind);
/// `nvlink`, `pcie`, `network`.
std::string_view name_of(LinkKind kind);
/// `shortest`, `rail`, `dimension-order`.
std::string_view name_of(RoutingPolicy policy);

std::span<const DeviceKind> all_device_kinds();
std::span<const LinkKind> all_link_kinds();
std::span<const RoutingPolicy> all_routing_policies();

}  // namespace reducelab
