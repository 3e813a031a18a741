#include "experiments/cli/run_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "sim/scenario/resolved.h"
#include "sim/scenario/scenario_flags.h"
#include "sim/scenario/scenario_toml.h"
#include "topologies/catalogue.h"
#include "topologies/placement.h"

namespace reducelab {
namespace {

constexpr std::int64_t kMostRanks = 1 << 24;

/// A text flag that shows its value's kind and default in the help.
void text_option(CLI::App& app, const std::string& name, std::string& value,
                 const std::string& type, std::string_view description,
                 std::string_view default_value = {}) {
  std::string text(description);
  if (!default_value.empty()) text += fmt::format(" [{}]", default_value);
  app.add_option(name, value, text)->type_name(type);
}

void repeated_option(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                     const std::string& type, const std::string& description) {
  // One value per flag: a list would swallow the words that follow.
  app.add_option(name, values, description)->type_name(type)->allow_extra_args(false);
}

std::string parse_collective(std::string_view text) {
  if (text == "allreduce" || text == "all_reduce" || text == "all-reduce") return "allreduce";
  throw unknown_name("collective", text, {"allreduce"});
}

std::string parse_engine(std::string_view text) {
  if (text == "auto" || text == "simgrid" || text == "flow" || text == "analytic") {
    return std::string(text);
  }
  throw unknown_name("engine", text, {"auto", "simgrid", "flow", "analytic"});
}

std::string parse_reducer(std::string_view text) {
  if (text == "auto" || text == "cpu") return "cpu";
  if (text == "cuda") {
    throw Error(ErrorCode::unsupported, "this build has no CUDA reducer").note("use cpu or auto");
  }
  throw unknown_name("reducer", text, {"auto", "cpu", "cuda"});
}

std::uint64_t parse_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (code != std::errc{} || end != text.data() + text.size()) {
    throw usage_error("\"{}\" is not a whole number from 0 to 2^64 - 1", text);
  }
  return seed;
}

FailureResponse parse_failure_response(std::string_view text) {
  std::vector<std::string_view> names;
  for (const FailureResponse response : all_failure_responses()) {
    if (text == name_of(response)) return response;
    names.push_back(name_of(response));
  }
  throw unknown_name("answer to a failure", text, names);
}

/// What `--scenario` holds, and after it what the flags add.
Scenario parse_scenario(const JobOptions& options) {
  Scenario scenario;
  if (!options.scenario.empty()) scenario = load_scenario(options.scenario);
  for (const std::string& text : options.slow_ranks) {
    scenario.slow_ranks.push_back(parse_slow_rank_flag(text));
  }
  for (const std::string& text : options.slow_links) {
    scenario.slow_links.push_back(parse_slow_link_flag(text));
  }
  for (const std::string& text : options.failures) {
    const auto failure = parse_fail_flag(text);
    if (const auto* link = std::get_if<LinkDown>(&failure)) scenario.links_down.push_back(*link);
    if (const auto* other = std::get_if<Failure>(&failure)) scenario.failures.push_back(*other);
  }
  FailurePolicy& policy = scenario.failure_policy;
  if (!options.on_failure.empty()) {
    policy.response = parse_flag("--on-failure", options.on_failure, parse_failure_response);
  }
  if (!options.failure_timeout.empty()) {
    policy.timeout_s = parse_flag("--failure-timeout", options.failure_timeout, parse_duration);
  }
  return scenario;
}

/// Finds what does not fit the cluster here, where faults still know the place they came from.
void require_resolvable(const Scenario& scenario, const RunSpec& spec) {
  const Topology topology = resolve_topology(spec.topology);
  const int ranks = spec.ranks != 0 ? spec.ranks : static_cast<int>(topology.endpoints().size());
  resolve(scenario, topology, place_ranks(topology, ranks, spec.placement), ranks, spec.seed);
}

}  // namespace

void declare_job_options(CLI::App& app, JobOptions& options) {
  const RunSpec defaults;
  text_option(app, "--topology", options.topology, "TOPOLOGY",
              "a preset or builder with parameters, or a .toml file", defaults.topology);
  text_option(app, "--ranks", options.ranks, "N", "ranks that take part", "every place");
  text_option(app, "--placement", options.placement, "HOW",
              "block, cyclic, or a list of places such as 0,8,1,9", defaults.placement);
  text_option(app, "--collective", options.collective, "NAME", "what is computed",
              defaults.collective);
  repeated_option(app, "--param", options.params, "NAME=VALUE",
                  "a parameter of the algorithm (see: reducelab algorithms NAME); repeatable");
  text_option(app, "--channels", options.channels, "N", "short for --param channels=N");
  text_option(app, "--slice", options.slice, "SIZE", "short for --param slice_bytes=SIZE");
  text_option(app, "--dtype", options.dtype, "TYPE", "element type", name_of(defaults.type));
  text_option(app, "--op", options.op, "OP", "sum, avg, prod, min or max", name_of(defaults.op));
  text_option(app, "--engine", options.engine, "ENGINE", "simgrid, flow, analytic or auto", "auto");
  text_option(app, "--profile", options.profile, "PROFILE",
              "ideal, mpi-tcp, mpi-rdma, nccl or a .toml file", defaults.profile);
  text_option(app, "--protocol", options.protocol, "NAME", "of the profile",
              "the fastest for the size");
  text_option(app, "--data", options.data, "HOW MUCH",
              "real data moved and checked: full, sampled, none or auto", "auto");
  text_option(app, "--reducer", options.reducer, "DEVICE", "what reduces it: cpu, cuda or auto",
              "auto");
  text_option(app, "--symmetry", options.symmetry, "HOW",
              "simulate one rank where all are alike (flow engine, --data none): auto or off",
              name_of(defaults.symmetry));
  text_option(app, "--scenario", options.scenario, "FILE",
              "how the cluster misbehaves, a .toml file (examples: experiments/scenarios)");
  repeated_option(app, "--slow-rank", options.slow_ranks, "RANKS:FACTOR",
                  "ranks whose own work takes FACTOR times as long, e.g. 3:1.5; repeatable");
  repeated_option(app, "--slow-link", options.slow_links, "LINK:FACTOR",
                  "a link (name, glob or \"rank 3\") with FACTOR of its bandwidth; or "
                  "LINK:BANDWIDTH, LINK:+LATENCY; repeatable");
  repeated_option(app, "--fail", options.failures, "WHAT@TIME",
                  "rank:3@2ms, node:1@2ms, device:NAME@2ms or link:NAME@1ms-2ms; repeatable");
  text_option(app, "--on-failure", options.on_failure, "HOW", "abort, restart, shrink or spare",
              "abort");
  text_option(app, "--failure-timeout", options.failure_timeout, "DURATION",
              "from a failure to its detection", format_duration(FailurePolicy{}.timeout_s));
  text_option(app, "--seed", options.seed, "N", "of everything random",
              std::to_string(defaults.seed));
}

void declare_output_options(CLI::App& app, OutputOptions& options) {
  app.add_flag("--json", options.json, "print one JSON object");
  app.add_flag("--csv", options.csv, "print CSV");
  app.add_flag("--quiet", options.quiet, "results only: no progress and no notes");
}

RunSpec parse_job_options(const JobOptions& options) {
  RunSpec spec;
  const auto given = [](std::string_view flag, const std::string& text, auto& value, auto parse) {
    if (!text.empty()) value = parse_flag(flag, text, parse);
  };
  if (!options.topology.empty()) spec.topology = options.topology;
  given("--ranks", options.ranks, spec.ranks,
        [](std::string_view text) { return static_cast<int>(parse_whole(text, 1, kMostRanks)); });
  if (!options.placement.empty()) spec.placement = options.placement;
  given("--collective", options.collective, spec.collective, parse_collective);
  given("--dtype", options.dtype, spec.type, parse_data_type);
  given("--op", options.op, spec.op, parse_reduce_op);
  given("--engine", options.engine, spec.engine, parse_engine);
  if (!options.profile.empty()) spec.profile = options.profile;
  spec.protocol = options.protocol;
  given("--data", options.data, spec.data, parse_data_mode);
  given("--reducer", options.reducer, spec.reducer, parse_reducer);
  given("--symmetry", options.symmetry, spec.symmetry, parse_symmetry);
  given("--seed", options.seed, spec.seed, parse_seed);
  const Scenario scenario = parse_scenario(options);
  if (!scenario.empty()) {
    require_resolvable(scenario, spec);
    spec.scenario = write_scenario_toml(scenario);
  }
  return spec;
}

std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& pairs) {
  std::map<std::string, std::string> values;
  for (const std::string& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == pair.npos || equals == 0) {
      throw usage_error("--param: \"{}\" is not NAME=VALUE", pair);
    }
    if (!values.try_emplace(pair.substr(0, equals), pair.substr(equals + 1)).second) {
      throw usage_error("--param: {} is given twice", pair.substr(0, equals));
    }
  }
  return values;
}

std::map<std::string, std::string> parse_params(const JobOptions& options) {
  std::map<std::string, std::string> params = parse_pairs(options.params);
  const auto shorthand = [&](std::string_view flag, std::string name, const std::string& value) {
    if (value.empty()) return;
    if (!params.try_emplace(name, value).second) {
      throw usage_error("{} and --param {} both set the same parameter", flag, name);
    }
  };
  shorthand("--channels", "channels", options.channels);
  shorthand("--slice", "slice_bytes", options.slice);
  return params;
}

std::map<std::string, std::string> params_of(const Algorithm& algorithm,
                                             const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> own;
  for (const ParamSpec& param : algorithm.params) {
    const auto value = given.find(std::string(param.name));
    if (value != given.end()) own.insert(*value);
  }
  const Params complete = complete_params(algorithm, own);
  for (const auto& [name, value] : given) {
    if (complete.has(name)) own.try_emplace(name, value);
  }
  return own;
}

void require_taken(const std::map<std::string, std::string>& given,
                   const std::vector<const Algorithm*>& algorithms) {
  for (const auto& [name, value] : given) {
    bool taken = false;
    std::vector<std::string_view> known;
    for (const Algorithm* algorithm : algorithms) {
      taken = taken || params_of(*algorithm, given).contains(name);
      for (const ParamSpec& param : algorithm->params) {
        if (std::ranges::find(known, param.name) == known.end()) known.push_back(param.name);
      }
    }
    if (!taken) throw unknown_name("parameter of these algorithms:", name, known);
  }
}

std::int64_t require_size(std::int64_t bytes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (bytes < 0 || bytes > kMost) throw usage_error("{} bytes is not between 0 and 2^62", bytes);
  return bytes;
}

}  // namespace reducelab
