#include "experiments/cli/run_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "core/units.h"
#include "experiments/cli/command_line.h"

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
  if (text == "auto") return "simgrid";
  if (text == "simgrid" || text == "flow" || text == "analytic") return std::string(text);
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

std::pair<int, double> parse_slow_rank(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos) {
    throw usage_error("\"{}\" is not RANK:FACTOR; write it like 3:2.5", text);
  }
  const auto rank = static_cast<int>(parse_whole(text.substr(0, colon), 0, kMostRanks));
  const std::string_view number = text.substr(colon + 1);
  double factor = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), factor);
  if (code != std::errc{} || end != number.data() + number.size() || !std::isfinite(factor) ||
      factor < 1) {
    throw usage_error("the factor \"{}\" of rank {} is not a number of at least 1", number, rank);
  }
  return {rank, factor};
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
  repeated_option(app, "--slow-rank", options.slow_ranks, "RANK:FACTOR",
                  "a rank whose overheads and reductions take FACTOR times as long; repeatable");
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
  given("--seed", options.seed, spec.seed, parse_seed);
  for (const std::string& text : options.slow_ranks) {
    const auto entry = parse_flag("--slow-rank", text, parse_slow_rank);
    if (!spec.slow_ranks.insert(entry).second) {
      throw usage_error("--slow-rank: rank {} is given twice", entry.first);
    }
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
