#include "topologies/toml_reader.h"

#include <algorithm>
#include <filesystem>

#include "core/toml_table.h"
#include "topologies/glob.h"
#include "topologies/limits.h"

namespace reducelab {
namespace {

class TopologyReader {
 public:
  TopologyReader(std::string_view text, const std::string& file)
      : file_(file), root_(TomlTable::parse(text, file)) {
    root_.allow_only({"name", "description", "routing", "dims", "hosts_forward", "builder",
                      "device", "link", "override"});
  }

  TopologySummary summary() const {
    TopologySummary summary;
    summary.name =
        root_.optional_text("name").value_or(std::filesystem::path(file_).stem().string());
    summary.description = root_.optional_text("description").value_or("");
    if (const auto table = root_.optional_table("builder")) {
      summary.builder = table->text("kind");
      const Builder& builder = find_builder(summary.builder, table->where("kind"));
      for (const std::string& key : table->keys()) {
        if (key == "kind") continue;
        const bool known = std::ranges::find(builder.parameters, key, &BuilderParameter::name) !=
                           builder.parameters.end();
        summary.arguments.push_back(
            {key, table->as_argument(key), known ? table->where(key) : table->where_key(key)});
      }
    }
    return summary;
  }

  Topology read(std::span<const BuilderArgument> replaced) {
    const TopologySummary head = summary();
    Topology topology;
    if (head.builder.empty()) {
      if (!replaced.empty()) {
        throw Error(ErrorCode::usage,
                    fmt::format("parameter \"{}\" is given, but this topology lists its devices "
                                "and has no [builder]",
                                replaced.front().name),
                    {file_, 0, 0});
      }
      read_devices(topology);
      read_links(topology);
      read_routing(topology);
    } else {
      for (const std::string_view key : {"device", "link", "routing", "dims", "hosts_forward"}) {
        if (root_.has(key)) {
          throw root_.bad(key,
                          "cannot stand beside [builder], which makes all of it; use "
                          "[[override]] to change links");
        }
      }
      std::vector<BuilderArgument> arguments = head.arguments;
      arguments.insert(arguments.end(), replaced.begin(), replaced.end());
      topology = build_topology(find_builder(head.builder), arguments);
    }
    topology.set_name(head.name);
    if (head.builder.empty() || !head.description.empty()) {
      topology.set_description(head.description);
    }
    apply_overrides(topology);
    return topology;
  }

 private:
  void read_devices(Topology& topology) const {
    for (const TomlTable& fields : root_.tables("device")) {
      fields.allow_only({"name", "kind", "node", "latency"});
      Device device;
      device.name = fields.text("name");
      device.kind = fields.one_of("kind", all_device_kinds());
      device.node = static_cast<int>(fields.optional_whole("node", -1, kMostDevices).value_or(-1));
      if (fields.has("latency")) device.latency_s = fields.parsed("latency", read_link_latency);
      if (topology.find_device(device.name) || device.name.empty()) {
        throw fields.bad("name", fmt::format("\"{}\" is {}", device.name,
                                             device.name.empty() ? "empty" : "used twice"));
      }
      topology.add_device(std::move(device));
    }
    if (topology.devices().empty()) {
      throw Error(ErrorCode::usage, "no [builder] and no [[device]]: the topology is empty",
                  {file_, 1, 1});
    }
  }

  static DeviceId device_named(const Topology& topology, const std::string& name,
                               const SourceLocation& where) {
    if (const auto id = topology.find_device(name)) return *id;
    std::vector<std::string_view> names;
    for (const Device& device : topology.devices()) names.push_back(device.name);
    std::string message = fmt::format("unknown device \"{}\"", name);
    if (const auto near = nearest_name(name, names); !near.empty()) {
      message += fmt::format("; did you mean \"{}\"?", near);
    }
    throw Error(ErrorCode::usage, message, where);
  }

  void read_links(Topology& topology) const {
    for (const TomlTable& fields : root_.tables("link")) {
      fields.allow_only(
          {"name", "between", "from", "to", "bandwidth", "latency", "kind", "duplex"});
      const std::string name = fields.optional_text("name").value_or("");
      Link link;
      link.name = name;
      link.bandwidth_bytes_per_s = fields.parsed("bandwidth", read_link_bandwidth);
      link.latency_s = fields.parsed("latency", read_link_latency);
      if (fields.has("kind")) link.kind = fields.one_of("kind", all_link_kinds());
      read_ends(topology, fields, link);
      const bool one_way = fields.has("from");
      try {
        if (one_way || link.shared) {
          topology.add_link(std::move(link));
        } else {
          topology.add_cable(link.from, link.to, link.bandwidth_bytes_per_s, link.latency_s,
                             link.kind, name);
        }
      } catch (const Error& error) {
        throw Error(error.code(), error.message(), fields.where());
      }
    }
  }

  /// `between` (full or half duplex) or `from` and `to` (one way).
  static void read_ends(const Topology& topology, const TomlTable& fields, Link& link) {
    if (fields.has("between") == (fields.has("from") || fields.has("to"))) {
      throw Error(ErrorCode::usage,
                  "a link needs either between = [\"a\", \"b\"] or from = \"a\" and to = \"b\"",
                  fields.where());
    }
    if (fields.has("duplex")) {
      const std::string duplex = fields.text("duplex");
      if (duplex != "full" && duplex != "half") {
        throw unknown_name("duplex", duplex, {"full", "half"}, fields.where("duplex"));
      }
      if (!fields.has("between")) throw fields.bad("duplex", "needs between, not from and to");
      link.shared = duplex == "half";
    }
    if (fields.has("between")) {
      const auto ends = fields.texts("between");
      if (ends.size() != 2) {
        throw fields.bad("between", fmt::format("must name two devices, not {}", ends.size()));
      }
      link.from = device_named(topology, ends[0].value, ends[0].where);
      link.to = device_named(topology, ends[1].value, ends[1].where);
    } else {
      link.from = device_named(topology, fields.text("from"), fields.where("from"));
      link.to = device_named(topology, fields.text("to"), fields.where("to"));
    }
  }

  void read_routing(Topology& topology) const {
    if (root_.has("routing")) {
      topology.set_routing(root_.one_of("routing", all_routing_policies()));
    }
    topology.set_hosts_forward(root_.optional_flag("hosts_forward").value_or(false));
    const bool by_dimension = topology.routing() == RoutingPolicy::dimension_order;
    if (by_dimension != root_.has("dims")) {
      throw root_.bad(by_dimension ? "routing" : "dims",
                      "needs both routing = \"dimension-order\" and dims = [8, 8]");
    }
    if (by_dimension) read_extents(topology);
  }

  void read_extents(Topology& topology) const {
    std::vector<int> extents;
    long long product = 1;
    for (const auto& [extent, where] : root_.whole_numbers("dims")) {
      if (extent < 1 || extent > kMostDevices || product > kMostDevices) {
        throw Error(ErrorCode::usage,
                    fmt::format("dims must hold whole numbers from 1 to {}", kMostDevices), where);
      }
      extents.push_back(static_cast<int>(extent));
      product *= extent;
    }
    if (extents.empty()) throw root_.bad("dims", "must be an array such as [8, 8]");
    if (product != static_cast<long long>(topology.devices().size())) {
      throw root_.bad("dims", fmt::format("describe {} positions, but there are {} devices",
                                          product, topology.devices().size()));
    }
    topology.set_torus_extents(std::move(extents));
  }

  void apply_overrides(Topology& topology) const {
    for (const TomlTable& fields : root_.tables("override")) {
      fields.allow_only({"links", "bandwidth", "latency"});
      if (!fields.has("bandwidth") && !fields.has("latency")) {
        throw Error(ErrorCode::usage, "an override changes bandwidth, latency or both",
                    fields.where());
      }
      std::optional<double> bandwidth;
      std::optional<double> latency_s;
      if (fields.has("bandwidth")) bandwidth = fields.parsed("bandwidth", read_link_bandwidth);
      if (fields.has("latency")) latency_s = fields.parsed("latency", read_link_latency);
      for (const auto& [pattern, where] : fields.texts("links")) {
        bool matched = false;
        for (LinkId id = 0; id < static_cast<LinkId>(topology.links().size()); ++id) {
          if (!matches_glob(pattern, topology.link(id).name)) continue;
          matched = true;
          if (bandwidth) topology.set_bandwidth(id, *bandwidth);
          if (latency_s) topology.set_latency(id, *latency_s);
        }
        if (!matched) throw no_such_link(topology, pattern, where);
      }
    }
  }

  static Error no_such_link(const Topology& topology, const std::string& pattern,
                            const SourceLocation& where) {
    std::vector<std::string_view> names;
    for (const Link& link : topology.links()) names.push_back(link.name);
    std::string message = fmt::format("no link matches \"{}\"", pattern);
    if (const auto near = nearest_name(pattern, names); !near.empty()) {
      message += fmt::format("; did you mean \"{}\"?", near);
    } else if (!names.empty()) {
      message += fmt::format("; links are named like \"{}\"", names.front());
    }
    return {ErrorCode::usage, message, where};
  }

  const std::string& file_;
  TomlTable root_;
};

}  // namespace

Topology read_topology_toml(std::string_view text, const std::string& file_name) {
  return TopologyReader(text, file_name).read({});
}

Topology read_topology_toml(std::string_view text, const std::string& file_name,
                            std::span<const BuilderArgument> arguments) {
  return TopologyReader(text, file_name).read(arguments);
}

TopologySummary summarize_topology_toml(std::string_view text, const std::string& file_name) {
  return TopologyReader(text, file_name).summary();
}

}  // namespace reducelab
