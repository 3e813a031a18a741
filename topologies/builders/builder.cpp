#include "topologies/builders/builder.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text.h"
#include "core/units.h"
#include "topologies/limits.h"

namespace reducelab {

BuilderArguments::BuilderArguments(std::string_view builder,
                                   std::span<const BuilderParameter> parameters,
                                   std::span<const BuilderArgument> arguments)
    : builder_(builder) {
  std::vector<std::string_view> names;
  for (const BuilderParameter& parameter : parameters) {
    names.push_back(parameter.name);
    arguments_.push_back({std::string(parameter.name), std::string(parameter.default_value), {}});
  }
  for (const BuilderArgument& argument : arguments) {
    const auto place = std::ranges::find(arguments_, argument.name, &BuilderArgument::name);
    if (place == arguments_.end()) {
      throw unknown_name(fmt::format("parameter of {}", builder), argument.name, names,
                         argument.where);
    }
    *place = argument;
  }
}

const BuilderArgument& BuilderArguments::argument(std::string_view name) const {
  const auto place = std::ranges::find(arguments_, name, &BuilderArgument::name);
  if (place == arguments_.end()) {
    throw Error(ErrorCode::bug, fmt::format("builder {} has no parameter {}", builder_, name));
  }
  return *place;
}

Error BuilderArguments::bad(const BuilderArgument& argument, std::string_view why) const {
  return {ErrorCode::usage, fmt::format("{} of {}: {}", argument.name, builder_, why),
          argument.where};
}

int BuilderArguments::count(std::string_view name, long long least, long long most) const {
  const BuilderArgument& given = argument(name);
  const std::string& text = given.value;
  long long value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size() || code == std::errc::invalid_argument) {
    throw bad(given, fmt::format("\"{}\" is not a whole number", text));
  }
  if (code != std::errc{} || value < least || value > most) {
    throw bad(given, fmt::format("{} is not between {} and {}", text, least, most));
  }
  return static_cast<int>(value);
}

double BuilderArguments::bandwidth_bytes_per_s(std::string_view name) const {
  const BuilderArgument& given = argument(name);
  try {
    return read_link_bandwidth(given.value);
  } catch (const Error& error) {
    throw bad(given, error.message());
  }
}

double BuilderArguments::latency_s(std::string_view name) const {
  const BuilderArgument& given = argument(name);
  try {
    return read_link_latency(given.value);
  } catch (const Error& error) {
    throw bad(given, error.message());
  }
}

double BuilderArguments::ratio(std::string_view name) const {
  const BuilderArgument& given = argument(name);
  const std::string& text = given.value;
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    throw bad(given, fmt::format("\"{}\" is not a number", text));
  }
  if (!(value > 0) || value > 1000) {
    throw bad(given, fmt::format("{} is not above 0 and at most 1000", text));
  }
  return value;
}

bool BuilderArguments::flag(std::string_view name) const {
  const BuilderArgument& given = argument(name);
  if (given.value == "true") return true;
  if (given.value == "false") return false;
  throw bad(given, fmt::format("\"{}\" is neither true nor false", given.value));
}

std::vector<int> BuilderArguments::extents(std::string_view name) const {
  const BuilderArgument& given = argument(name);
  std::vector<int> extents;
  long long product = 1;
  for (const std::string_view part : split(given.value, 'x')) {
    int extent = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), extent);
    if (part.empty() || end != part.data() + part.size() || code == std::errc::invalid_argument) {
      throw bad(given, fmt::format("\"{}\" is not written like 8x8x4", given.value));
    }
    if (code != std::errc{} || extent < 1 || extent > kMostDevices) {
      throw bad(given, fmt::format("extent {} is not between 1 and {}", part, kMostDevices));
    }
    extents.push_back(extent);
    product *= extent;
    if (product > kMostDevices) {
      throw bad(given, fmt::format("\"{}\" has more than {} positions", given.value, kMostDevices));
    }
  }
  if (extents.empty() || extents.size() > 3) {
    throw bad(given, fmt::format("\"{}\" has {} extents, not 1 to 3", given.value, extents.size()));
  }
  if (product < 2) throw bad(given, fmt::format("\"{}\" has only one position", given.value));
  return extents;
}

std::string BuilderArguments::choice(std::string_view name,
                                     const std::vector<std::string_view>& choices) const {
  const BuilderArgument& given = argument(name);
  if (std::ranges::find(choices, given.value) != choices.end()) return given.value;
  throw unknown_name(name, given.value, choices, given.where);
}

void BuilderArguments::require_at_most(long long number, long long most,
                                       std::string_view what) const {
  if (number <= most) return;
  throw usage_error("{} would have {} {}, more than {}; make it smaller", builder_, number, what,
                    most);
}

void BuilderArguments::require_possible(double bytes_per_s, std::string_view what) const {
  if (bytes_per_s > 0 && bytes_per_s <= kMostBandwidthBytesPerS) return;
  throw usage_error("{} would have {} of {}, which no link has; change its sizes or bandwidth",
                    builder_, what, format_bandwidth(bytes_per_s));
}

std::span<const Builder> all_builders() {
  static const std::array builders{single_switch_builder(), nvswitch_node_builder(),
                                   rail_optimized_builder(), leaf_spine_builder(), torus_builder()};
  return builders;
}

const Builder& find_builder(std::string_view name, const SourceLocation& where) {
  std::vector<std::string_view> names;
  for (const Builder& builder : all_builders()) {
    if (builder.name == name) return builder;
    names.push_back(builder.name);
  }
  throw unknown_name("builder", name, names, where);
}

Topology build_topology(const Builder& builder, std::span<const BuilderArgument> arguments) {
  Topology topology = builder.build(BuilderArguments(builder.name, builder.parameters, arguments));
  topology.set_name(std::string(builder.name));
  topology.set_description(std::string(builder.description));
  return topology;
}

}  // namespace reducelab
