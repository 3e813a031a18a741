#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"
#include "experiments/report/table.h"
#include "topologies/catalogue.h"
#include "topologies/check.h"
#include "topologies/toml_writer.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

std::string list_text() {
  std::string text;
  for (const bool presets : {true, false}) {
    TextTable table({{presets ? "preset" : "builder", Align::left},
                     {"parameters", Align::left},
                     {"what it is", Align::left}});
    for (const TopologyEntry& entry : topology_catalogue()) {
      if (entry.preset != presets) continue;
      std::vector<std::string> parameters;
      for (const TopologyParameter& parameter : entry.parameters) {
        parameters.push_back(fmt::format("{}={}", parameter.name, parameter.default_value));
      }
      table.add_row({entry.name, fmt::format("{}", fmt::join(parameters, ",")), entry.description});
    }
    text += table.to_text() + "\n";
  }
  return text + "write one as NAME:PARAMETER=VALUE,... or name a .toml file\n";
}

Json list_json() {
  Json list = Json::array();
  for (const TopologyEntry& entry : topology_catalogue()) {
    Json parameters = Json::array();
    for (const TopologyParameter& parameter : entry.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"default", parameter.default_value},
                            {"description", parameter.description}});
    }
    list.push_back({{"name", entry.name},
                    {"kind", entry.preset ? "preset" : "builder"},
                    {"description", entry.description},
                    {"parameters", parameters}});
  }
  return {{"schema", "reducelab.topologies/1"}, {"topologies", list}};
}

Json topology_json(const Topology& topology) {
  Json devices = Json::array();
  for (const Device& device : topology.devices()) {
    devices.push_back({{"name", device.name},
                       {"kind", name_of(device.kind)},
                       {"node", device.node},
                       {"latency_s", device.latency_s}});
  }
  Json links = Json::array();
  for (const Link& link : topology.links()) {
    links.push_back({{"name", link.name},
                     {"from", topology.device(link.from).name},
                     {"to", topology.device(link.to).name},
                     {"bandwidth_bytes_per_s", link.bandwidth_bytes_per_s},
                     {"latency_s", link.latency_s},
                     {"kind", name_of(link.kind)},
                     {"shared", link.shared}});
  }
  return {{"schema", "reducelab.topology/1"},
          {"name", topology.name()},
          {"description", topology.description()},
          {"routing", name_of(topology.routing())},
          {"places", topology.endpoints().size()},
          {"devices", devices},
          {"links", links}};
}

std::string_view name_of(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

int command_list(Arguments arguments) {
  CLI::App app("List presets and builders with their parameters.", "reducelab topology list");
  bool json = false;
  app.add_flag("--json", json, "print one JSON object");
  if (!parse_arguments(app, arguments)) return 0;
  print(json ? list_json().dump(2) + "\n" : list_text());
  return 0;
}

int command_show(Arguments arguments) {
  CLI::App app("Describe a topology: counts, link classes, bisection, example routes.",
               "reducelab topology show");
  std::string argument;
  bool json = false;
  bool toml = false;
  app.add_option("topology", argument, "a preset or builder with parameters, or a .toml file")
      ->type_name("TOPOLOGY");
  app.add_flag("--json", json, "print every device and link as one JSON object");
  app.add_flag("--toml", toml, "print a .toml file of every device and link");
  if (!parse_arguments(app, arguments)) return 0;
  if (argument.empty()) throw usage_error("topology show needs a topology");
  if (json && toml) throw usage_error("--json and --toml exclude each other");
  const Topology topology = resolve_topology(argument);
  if (toml) {
    print(write_topology_toml(topology));
  } else {
    print(json ? topology_json(topology).dump(2) + "\n" : describe_topology(topology));
  }
  return 0;
}

int command_check(Arguments arguments) {
  CLI::App app("Look for mistakes in a topology; the exit code is 2 if there is an error.",
               "reducelab topology check");
  std::string argument;
  bool json = false;
  app.add_option("topology", argument, "a preset or builder with parameters, or a .toml file")
      ->type_name("TOPOLOGY");
  app.add_flag("--json", json, "print one JSON object");
  if (!parse_arguments(app, arguments)) return 0;
  if (argument.empty()) throw usage_error("topology check needs a topology");
  const Topology topology = resolve_topology(argument);
  const auto findings = check_topology(topology);
  const bool ok = std::ranges::none_of(
      findings, [](const auto& finding) { return finding.severity == Severity::error; });
  if (json) {
    Json list = Json::array();
    for (const auto& finding : findings) {
      list.push_back({{"severity", name_of(finding.severity)},
                      {"message", finding.message},
                      {"what_to_do", finding.what_to_do}});
    }
    print(Json{{"schema", "reducelab.topology_check/1"},
               {"topology", topology.name()},
               {"ok", ok},
               {"findings", list}}
              .dump(2) +
          "\n");
  } else {
    std::string text;
    for (const auto& finding : findings) {
      text += fmt::format("{}: {} ({})\n", name_of(finding.severity), finding.message,
                          finding.what_to_do);
    }
    if (findings.empty()) text = fmt::format("{}: nothing wrong\n", topology.name());
    print(text);
  }
  return ok ? 0 : static_cast<int>(ErrorCode::usage);
}

constexpr std::array<Command, 3> kCommands{{
    {"list", "list presets and builders", command_list},
    {"show", "describe a topology, or print it as TOML or JSON", command_show},
    {"check", "look for mistakes in a topology", command_check},
}};

}  // namespace

int command_topology(Arguments arguments) {
  return dispatch("reducelab topology", kCommands, arguments);
}

}  // namespace reducelab
