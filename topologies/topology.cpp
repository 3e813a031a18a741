#include "topologies/topology.h"

#include <array>

#include "core/error.h"

namespace reducelab {

DeviceId Topology::add_device(Device device) {
  const auto id = static_cast<DeviceId>(devices_.size());
  if (device.name.empty()) throw usage_error("a device needs a name");
  if (!device_by_name_.emplace(device.name, id).second) {
    throw usage_error("two devices are named \"{}\"; give each a name of its own", device.name);
  }
  devices_.push_back(std::move(device));
  out_.emplace_back();
  in_.emplace_back();
  return id;
}

LinkId Topology::add_link(Link link) {
  const auto count = static_cast<DeviceId>(devices_.size());
  if (link.from < 0 || link.from >= count || link.to < 0 || link.to >= count) {
    throw Error(ErrorCode::bug, fmt::format("link \"{}\" joins devices {} and {} of {}", link.name,
                                            link.from, link.to, count));
  }
  if (link.from == link.to) {
    throw usage_error("a link joins \"{}\" to itself", device(link.from).name);
  }
  if (link.name.empty()) {
    const std::string plain =
        device(link.from).name + (link.shared ? "--" : "->") + device(link.to).name;
    link.name = plain;
    for (int copy = 2; link_names_.contains(link.name); ++copy) {
      link.name = fmt::format("{}#{}", plain, copy);
    }
  } else if (link_names_.contains(link.name)) {
    throw usage_error("two links are named \"{}\"; give each a name of its own", link.name);
  }
  link_names_.insert(link.name);
  const auto id = static_cast<LinkId>(links_.size());
  const auto from = static_cast<std::size_t>(link.from);
  const auto to = static_cast<std::size_t>(link.to);
  out_[from].push_back({id, link.to});
  in_[to].push_back({id, link.from});
  if (link.shared) {
    out_[to].push_back({id, link.from});
    in_[from].push_back({id, link.to});
  }
  links_.push_back(std::move(link));
  return id;
}

std::pair<LinkId, LinkId> Topology::add_cable(DeviceId a, DeviceId b, double bandwidth_bytes_per_s,
                                              double latency_s, LinkKind kind,
                                              const std::string& name) {
  Link there{{}, a, b, bandwidth_bytes_per_s, latency_s, kind, false};
  Link back{{}, b, a, bandwidth_bytes_per_s, latency_s, kind, false};
  if (!name.empty()) {
    there.name = fmt::format("{}:{}->{}", name, device(a).name, device(b).name);
    back.name = fmt::format("{}:{}->{}", name, device(b).name, device(a).name);
  }
  const LinkId first = add_link(std::move(there));
  return {first, add_link(std::move(back))};
}

void Topology::set_bandwidth(LinkId link, double bytes_per_s) {
  links_.at(static_cast<std::size_t>(link)).bandwidth_bytes_per_s = bytes_per_s;
}

void Topology::set_latency(LinkId link, double seconds) {
  links_.at(static_cast<std::size_t>(link)).latency_s = seconds;
}

std::vector<DeviceId> Topology::endpoints() const {
  std::vector<DeviceId> gpus;
  std::vector<DeviceId> hosts;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].kind == DeviceKind::gpu) gpus.push_back(static_cast<DeviceId>(i));
    if (devices_[i].kind == DeviceKind::host) hosts.push_back(static_cast<DeviceId>(i));
  }
  return gpus.empty() ? hosts : gpus;
}

std::optional<DeviceId> Topology::find_device(std::string_view name) const {
  const auto found = device_by_name_.find(std::string(name));
  if (found == device_by_name_.end()) return std::nullopt;
  return found->second;
}

bool Topology::forwards(DeviceId id) const {
  const DeviceKind kind = device(id).kind;
  return hosts_forward_ || kind == DeviceKind::nic || kind == DeviceKind::switch_;
}

bool Topology::operator==(const Topology& other) const {
  return name_ == other.name_ && description_ == other.description_ && routing_ == other.routing_ &&
         hosts_forward_ == other.hosts_forward_ && torus_extents_ == other.torus_extents_ &&
         devices_ == other.devices_ && links_ == other.links_;
}

namespace {
constexpr std::array kDeviceKinds{DeviceKind::host, DeviceKind::gpu, DeviceKind::nic,
                                  DeviceKind::switch_};
constexpr std::array kLinkKinds{LinkKind::nvlink, LinkKind::pcie, LinkKind::network};
constexpr std::array kRoutingPolicies{RoutingPolicy::shortest, RoutingPolicy::rail,
                                      RoutingPolicy::dimension_order};
}  // namespace

std::string_view name_of(DeviceKind kind) {
  constexpr std::array<std::string_view, 4> names{"host", "gpu", "nic", "switch"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(LinkKind kind) {
  constexpr std::array<std::string_view, 3> names{"nvlink", "pcie", "network"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(RoutingPolicy policy) {
  constexpr std::array<std::string_view, 3> names{"shortest", "rail", "dimension-order"};
  return names.at(static_cast<std::size_t>(policy));
}

std::span<const DeviceKind> all_device_kinds() {
  return kDeviceKinds;
}
std::span<const LinkKind> all_link_kinds() {
  return kLinkKinds;
}
std::span<const RoutingPolicy> all_routing_policies() {
  return kRoutingPolicies;
}

}  // namespace reducelab
