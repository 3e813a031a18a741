#include "topologies/toml_writer.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/toml_text.h"
#include "core/units.h"

namespace reducelab {
namespace {

/// The shortest spelling that reads back as exactly the same number.
template <std::size_t N>
std::string spelled(double value, const std::array<std::pair<double, std::string_view>, N>& units,
                    double (*parse)(std::string_view)) {
  std::string best;
  for (const auto& [factor, unit] : units) {
    // Dividing may be off by a bit where the shorter decimal is what was meant: try both.
    for (const std::string& digits :
         {fmt::format("{}", value / factor), fmt::format("{:.12g}", value / factor)}) {
      const std::string text = fmt::format("{}{}", digits, unit);
      if (parse(text) == value && (best.empty() || text.size() < best.size())) best = text;
    }
  }
  return best;
}

std::string spelled_bandwidth(double bytes_per_s) {
  // The last unit has factor 1, so an exact spelling always exists.
  constexpr std::array<std::pair<double, std::string_view>, 4> units{
      {{1e9 / 8, "Gbps"}, {1e12 / 8, "Tbps"}, {1e6 / 8, "Mbps"}, {1, "Bps"}}};
  return spelled(bytes_per_s, units, parse_bandwidth);
}

std::string spelled_duration(double seconds) {
  constexpr std::array<std::pair<double, std::string_view>, 4> units{
      {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}};
  return spelled(seconds, units, parse_duration);
}

void write_head(const Topology& topology, std::string& out) {
  out += fmt::format("name = {}\ndescription = {}\n", toml_quoted(topology.name()),
                     toml_quoted(topology.description()));
  if (topology.routing() != RoutingPolicy::shortest) {
    out += fmt::format("routing = \"{}\"\n", name_of(topology.routing()));
  }
  if (!topology.torus_extents().empty()) {
    out += fmt::format("dims = [{}]\n", fmt::join(topology.torus_extents(), ", "));
  }
  if (topology.hosts_forward()) out += "hosts_forward = true\n";
}

void write_device(const Device& device, std::string& out) {
  out += fmt::format("\n[[device]]\nname = {}\nkind = \"{}\"\n", toml_quoted(device.name),
                     name_of(device.kind));
  if (device.node >= 0) out += fmt::format("node = {}\n", device.node);
  if (device.latency_s != 0) {
    out += fmt::format("latency = \"{}\"\n", spelled_duration(device.latency_s));
  }
}

/// The name that both directions of a cable share: nullopt if the two are not one cable.
std::optional<std::string> cable_name(const Topology& topology, const Link& there,
                                      const Link& back) {
  Link mirrored = back;
  std::swap(mirrored.from, mirrored.to);
  mirrored.name = there.name;
  if (there.shared || !(mirrored == there)) return std::nullopt;
  const std::string& a = topology.device(there.from).name;
  const std::string& b = topology.device(there.to).name;
  const std::string forward = a + "->" + b;
  if (there.name == forward && back.name == b + "->" + a) return "";
  if (!there.name.ends_with(":" + forward)) return std::nullopt;
  const std::string prefix = there.name.substr(0, there.name.size() - forward.size() - 1);
  if (prefix.empty() || back.name != fmt::format("{}:{}->{}", prefix, b, a)) return std::nullopt;
  return prefix;
}

void write_link(const Topology& topology, const Link& link, const std::string& name, bool both_ways,
                std::string& out) {
  const std::string from = toml_quoted(topology.device(link.from).name);
  const std::string to = toml_quoted(topology.device(link.to).name);
  out += "\n[[link]]\n";
  if (!name.empty()) out += fmt::format("name = {}\n", toml_quoted(name));
  out += both_ways ? fmt::format("between = [{}, {}]\n", from, to)
                   : fmt::format("from = {}\nto = {}\n", from, to);
  if (link.shared) out += "duplex = \"half\"\n";
  out += fmt::format("bandwidth = \"{}\"\nlatency = \"{}\"\nkind = \"{}\"\n",
                     spelled_bandwidth(link.bandwidth_bytes_per_s),
                     spelled_duration(link.latency_s), name_of(link.kind));
}

}  // namespace

std::string write_topology_toml(const Topology& topology) {
  std::string out;
  write_head(topology, out);
  for (const Device& device : topology.devices()) write_device(device, out);
  const auto links = topology.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i + 1 < links.size()) {
      if (const auto name = cable_name(topology, links[i], links[i + 1])) {
        write_link(topology, links[i], *name, true, out);
        ++i;
        continue;
      }
    }
    write_link(topology, links[i], links[i].name, links[i].shared, out);
  }
  return out;
}

}  // namespace reducelab
