// From names and texts to a program: what the registry's rows are asked for.
#include <algorithm>
#include <charconv>

#include "algorithms/registry.h"
#include "core/text.h"
#include "core/units.h"

namespace reducelab {
namespace {

std::int64_t parse_integer(const ParamSpec& spec, const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end) {
    throw usage_error("parameter \"{}\" is \"{}\"; it must be a whole number", spec.name, text);
  }
  return value;
}

std::int64_t parse_size(const ParamSpec& spec, const std::string& text) {
  try {
    return parse_bytes(text);
  } catch (Error& error) {
    throw error.note(fmt::format("in parameter \"{}\"", spec.name));
  }
}

void check_value(const ParamSpec& spec, const std::string& text) {
  if (spec.kind == ParamSpec::Kind::choice) {
    if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return;
    throw unknown_name(fmt::format("value of parameter \"{}\":", spec.name), text,
                       {spec.choices.begin(), spec.choices.end()});
  }
  const bool bytes = spec.kind == ParamSpec::Kind::bytes;
  const std::int64_t value = bytes ? parse_size(spec, text) : parse_integer(spec, text);
  if (value >= spec.least && value <= spec.most) return;
  const auto show = [&](std::int64_t limit) {
    return bytes ? format_bytes(limit) : std::to_string(limit);
  };
  throw usage_error("parameter \"{}\" is {}; it must be from {} to {}", spec.name, text,
                    show(spec.least), show(spec.most));
}

/// The parameters of `algorithm` and those that come with an `inner` algorithm.
std::vector<ParamSpec> specs_of(const Algorithm& algorithm,
                                const std::map<std::string, std::string>& given) {
  std::vector<ParamSpec> specs(algorithm.params.begin(), algorithm.params.end());
  for (const ParamSpec& spec : algorithm.params) {
    if (spec.name != "inner") continue;
    const auto named = given.find("inner");
    const std::string inner(named == given.end() ? spec.default_value : named->second);
    check_value(spec, inner);
    const auto more = find_algorithm(inner).params;
    specs.insert(specs.end(), more.begin(), more.end());
  }
  return specs;
}

/// Nodes, where a world has them, must hold every rank exactly once.
void check_nodes(const World& world) {
  if (world.nodes.empty()) return;
  std::vector<int> seen(static_cast<std::size_t>(world.ranks), 0);
  for (const std::vector<int>& node : world.nodes) {
    if (node.empty()) throw usage_error("a node without ranks; leave it out of the list of nodes");
    for (const int rank : node) {
      if (rank < 0 || rank >= world.ranks) {
        throw usage_error("a node holds rank {}; the ranks are 0 to {}", rank, world.ranks - 1);
      }
      if (seen[static_cast<std::size_t>(rank)]++) {
        throw usage_error("rank {} is on two nodes; it must be on one", rank);
      }
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), 0);
  if (missing != seen.end()) {
    throw usage_error("rank {} is on no node; every rank must be on one", missing - seen.begin());
  }
}

}  // namespace

const Algorithm& find_algorithm(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : all_algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw unknown_name("algorithm", name, names);
}

Params complete_params(const Algorithm& algorithm,
                       const std::map<std::string, std::string>& given) {
  const std::vector<ParamSpec> specs = specs_of(algorithm, given);
  Params params;
  for (const ParamSpec& spec : specs) {
    params.set(std::string(spec.name), std::string(spec.default_value));
  }
  for (const auto& [name, value] : given) {
    const auto spec =
        std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) {
      if (specs.empty()) {
        throw usage_error("unknown parameter \"{}\"; {} has none", name, algorithm.name);
      }
      std::vector<std::string_view> names;
      for (const ParamSpec& known : specs) names.push_back(known.name);
      throw unknown_name(fmt::format("parameter of {}", algorithm.name), name, names);
    }
    check_value(*spec, value);
    params.set(name, value);
  }
  return params;
}

World prepare_world(const Algorithm& algorithm, World world) {
  if (world.ranks < 1) throw usage_error("{} ranks; there must be at least 1", world.ranks);
  if (world.count < 0) throw usage_error("{} elements; it cannot be fewer than 0", world.count);
  check_nodes(world);
  if (algorithm.refusal) {
    const std::string reason = algorithm.refusal(world);
    if (!reason.empty()) throw usage_error("{}: {}", algorithm.name, reason);
  }
  world.extras = algorithm.extras ? algorithm.extras(world).count : 0;
  return world;
}

Program make_program(const Algorithm& algorithm, const World& world, int id,
                     ScratchSizes* scratch_buffers) {
  const Rank self(world, id, scratch_buffers);
  return id < world.ranks ? algorithm.rank_program(self) : algorithm.extra_program(self);
}

}  // namespace reducelab
