#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "topologies/topology.h"

namespace reducelab {

/// What the text of a parameter must be.
enum class ParameterType : std::uint8_t {
  count,
  bandwidth,
  duration,
  ratio,
  flag,
  extents,
  fabric
};

/// A parameter of a builder, with the text of its default.
struct BuilderParameter {
  std::string_view name;
  ParameterType type;
  std::string_view default_value;
  std::string_view meaning;
};

/// `name=value` as the user wrote it, and where, so that a fault can be shown in its place.
struct BuilderArgument {
  std::string name;
  std::string value;
  SourceLocation where;
};

/// The arguments of one builder call, defaults filled in, each read with its own error message.
class BuilderArguments {
 public:
  /// Throws a usage Error for an unknown parameter (with "did you mean"); a later argument of the
  /// same name replaces an earlier one.
  BuilderArguments(std::string_view builder, std::span<const BuilderParameter> parameters,
                   std::span<const BuilderArgument> arguments);

  /// A whole number from `least` to `most`.
  int count(std::string_view name, long long least, long long most) const;
  double bandwidth_bytes_per_s(std::string_view name) const;
  double latency_s(std::string_view name) const;
  /// A plain number above zero and at most 1000.
  double ratio(std::string_view name) const;
  bool flag(std::string_view name) const;
  /// `8x8x4`: one to three extents of at least 1 and at least 2 positions in all.
  std::vector<int> extents(std::string_view name) const;
  /// One of `choices`.
  std::string choice(std::string_view name, const std::vector<std::string_view>& choices) const;

  /// Refuses a product of counts beyond what can be built: `what` says of which things.
  void require_at_most(long long number, long long most, std::string_view what) const;
  /// Refuses a computed bandwidth beyond what any link has.
  void require_possible(double bytes_per_s, std::string_view what) const;

 private:
  const BuilderArgument& argument(std::string_view name) const;
  Error bad(const BuilderArgument& argument, std::string_view why) const;

  std::string builder_;
  std::vector<BuilderArgument> arguments_;
};

/// A way to make a topology from a few numbers.
struct Builder {
  std::string_view name;
  std::string_view description;
  std::span<const BuilderParameter> parameters;
  Topology (*build)(const BuilderArguments& arguments);
};

Builder single_switch_builder();
Builder nvswitch_node_builder();
Builder rail_optimized_builder();
Builder leaf_spine_builder();
Builder torus_builder();

/// All builders, in the order of the help.
std::span<const Builder> all_builders();

/// The builder of that name; otherwise a usage Error with "did you mean".
const Builder& find_builder(std::string_view name, const SourceLocation& where = {});

/// Checks the arguments and builds; the topology is named after the builder.
Topology build_topology(const Builder& builder, std::span<const BuilderArgument> arguments);

}  // namespace reducelab
