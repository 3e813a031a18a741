#include "topologies/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "core/text.h"
#include "topologies/builders/builder.h"
#include "topologies/preset_texts.h"
#include "topologies/toml_reader.h"

namespace reducelab {
namespace {

/// `a=1,b=2` as arguments; `whole` is the full text for messages.
std::vector<BuilderArgument> parse_arguments(std::string_view whole, std::string_view list) {
  std::vector<BuilderArgument> arguments;
  for (const std::string_view part : split(list, ',')) {
    const auto equals = part.find('=');
    const std::string_view name = trim(part.substr(0, equals));
    if (equals == part.npos || name.empty() || trim(part.substr(equals + 1)).empty()) {
      throw usage_error("topology \"{}\": \"{}\" is not written like name=value", whole, part);
    }
    if (std::ranges::find(arguments, name, &BuilderArgument::name) != arguments.end()) {
      throw usage_error("topology \"{}\": {} is given twice", whole, name);
    }
    arguments.push_back({std::string(name), std::string(trim(part.substr(equals + 1))), {}});
  }
  return arguments;
}

std::vector<TopologyParameter> parameters_of(const Builder& builder,
                                             std::span<const BuilderArgument> defaults) {
  std::vector<TopologyParameter> parameters;
  for (const BuilderParameter& parameter : builder.parameters) {
    const auto own = std::ranges::find(defaults, parameter.name, &BuilderArgument::name);
    parameters.push_back({std::string(parameter.name),
                          own == defaults.end() ? std::string(parameter.default_value) : own->value,
                          std::string(parameter.meaning)});
  }
  return parameters;
}

std::vector<TopologyEntry> make_catalogue() {
  std::vector<TopologyEntry> entries;
  for (const EmbeddedText& preset : preset_texts()) {
    const TopologySummary summary =
        summarize_topology_toml(preset.text, std::string(preset.file_name));
    TopologyEntry entry{std::string(preset.name), summary.description, {}, true};
    if (!summary.builder.empty()) {
      entry.parameters = parameters_of(find_builder(summary.builder), summary.arguments);
    }
    entries.push_back(std::move(entry));
  }
  for (const Builder& builder : all_builders()) {
    entries.push_back({std::string(builder.name), std::string(builder.description),
                       parameters_of(builder, {}), false});
  }
  return entries;
}

Topology read_file(std::string_view argument) {
  if (!argument.ends_with(".toml")) {
    throw usage_error("topology file \"{}\" is not a .toml file; other formats cannot be read",
                      argument);
  }
  return read_topology_toml(read_text_file(std::filesystem::path(argument)), std::string(argument));
}

}  // namespace

std::span<const TopologyEntry> topology_catalogue() {
  static const std::vector<TopologyEntry> catalogue = make_catalogue();
  return catalogue;
}

Topology resolve_topology(std::string_view argument) {
  const auto colon = argument.find(':');
  const std::string_view name = argument.substr(0, colon);
  if (name.find('/') != name.npos || argument.ends_with(".toml") || argument.ends_with(".xml")) {
    return read_file(argument);
  }
  std::vector<BuilderArgument> arguments;
  if (colon != argument.npos) arguments = parse_arguments(argument, argument.substr(colon + 1));
  const auto named = [&](Topology topology) {
    topology.set_name(std::string(argument));
    return topology;
  };
  try {
    for (const EmbeddedText& preset : preset_texts()) {
      if (preset.name != name) continue;
      return named(read_topology_toml(preset.text, std::string(preset.file_name), arguments));
    }
    for (const Builder& builder : all_builders()) {
      if (builder.name == name) return named(build_topology(builder, arguments));
    }
  } catch (const Error& error) {
    Error full(error.code(), fmt::format("topology \"{}\": {}", argument, error.message()),
               error.where());
    for (const std::string& note : error.notes()) full.note(note);
    throw full;
  }
  std::vector<std::string_view> names;
  for (const TopologyEntry& entry : topology_catalogue()) names.push_back(entry.name);
  throw unknown_name("topology", name, names)
      .note("or a file such as my.toml; list: reducelab topology list");
}

}  // namespace reducelab
