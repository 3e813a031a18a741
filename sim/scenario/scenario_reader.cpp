#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

#include "core/files.h"
#include "core/toml_table.h"
#include "core/units.h"
#include "sim/scenario/check.h"
#include "sim/scenario/scenario_toml.h"

namespace reducelab {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr long long kMostWhole = std::numeric_limits<int>::max();

template <class Value, class Read>
void read_if_there(const TomlTable& table, std::string_view key, Value& value, Read read) {
  if (table.has(key)) value = table.parsed(key, read);
}

/// The entry if it is possible; otherwise its fault at the key's place.
template <class Disturbance>
Disturbance checked(const TomlTable& table, Disturbance disturbance) {
  disturbance.origin = table.where();
  if (const auto fault = fault_of(disturbance)) throw table.bad(fault->key, fault->why);
  return disturbance;
}

/// A quantity that must be there.
double duration(const TomlTable& table, std::string_view key) {
  return table.parsed(key, parse_duration);
}

double whole_bytes(std::string_view text) {
  return static_cast<double>(parse_bytes(text));
}

double number(const TomlTable& table, std::string_view key) {
  if (const auto value = table.optional_number(key, -kAny, kAny)) return *value;
  throw Error(ErrorCode::usage, fmt::format("key \"{}\" is missing here", key), table.where());
}

RankSet read_ranks(const TomlTable& table) {
  if (!table.has("ranks")) return {};
  try {
    return parse_rank_set(table.as_argument("ranks"));
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), table.where("ranks"));
  }
}

ResourceSet read_resources(const TomlTable& table) {
  if (!table.has("applies_to")) return {};
  ResourceSet set = ResourceSet::none();
  std::vector<std::string_view> names;
  for (const Resource resource : kResources) names.push_back(name_of(resource));
  for (const auto& [name, where] : table.texts("applies_to")) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw unknown_name("resource", name, names, where);
    set.add(kResources[static_cast<std::size_t>(found - names.begin())]);
  }
  return set;
}

Window read_window(const TomlTable& table) {
  Window window;
  read_if_there(table, "from", window.from_s, parse_duration);
  read_if_there(table, "until", window.until_s, parse_duration);
  return window;
}

std::vector<std::string> read_names(const TomlTable& table, std::string_view key) {
  std::vector<std::string> names;
  for (const auto& [name, where] : table.texts(key)) names.push_back(name);
  return names;
}

Distribution read_distribution(const TomlTable& table,
                               const std::function<double(std::string_view)>& quantity) {
  Distribution distribution;
  distribution.kind = table.one_of("kind", all_distribution_kinds());
  const auto own = parameters_of(distribution.kind);
  for (const DistributionKind kind : all_distribution_kinds()) {
    for (const DistributionParameter& other : parameters_of(kind)) {
      if (!table.has(other.name)) continue;
      if (std::ranges::find(own, other.name, &DistributionParameter::name) != own.end()) continue;
      throw table.bad(other.name, fmt::format("is no parameter of {}", name_of(distribution.kind)));
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!own[i].required && !table.has(own[i].name)) continue;
    (i == 0 ? distribution.first : distribution.second) =
        own[i].is_quantity ? table.parsed(own[i].name, quantity) : number(table, own[i].name);
  }
  return distribution;
}

SlowRank read_slow_rank(const TomlTable& table) {
  table.allow_only({"ranks", "factor", "applies_to", "from", "until"});
  return checked(table, SlowRank{read_ranks(table),
                                 number(table, "factor"),
                                 read_resources(table),
                                 read_window(table),
                                 {}});
}

Delay read_delay(const TomlTable& table) {
  table.allow_only({"ranks", "at", "duration", "applies_to"});
  return checked(table, Delay{read_ranks(table),
                              duration(table, "at"),
                              duration(table, "duration"),
                              read_resources(table),
                              {}});
}

Noise read_noise(const TomlTable& table) {
  table.allow_only({"ranks", "period", "duration", "synchronised", "applies_to"});
  return checked(table, Noise{read_ranks(table),
                              duration(table, "period"),
                              duration(table, "duration"),
                              table.optional_flag("synchronised").value_or(false),
                              read_resources(table),
                              {}});
}

Arrival read_arrival(const TomlTable& table, const std::filesystem::path& folder) {
  table.allow_only({"ranks", "times", "file", "kind", "value", "low", "high", "mean", "sd",
                    "median", "sigma", "offset", "scale", "shape"});
  if (table.has("times") + table.has("file") + table.has("kind") != 1) {
    throw Error(ErrorCode::usage, "an arrival needs one of kind, times and file", table.where());
  }
  Arrival arrival;
  arrival.ranks = read_ranks(table);
  if (table.has("kind")) {
    arrival.distribution = read_distribution(table, parse_duration);
  } else {
    for (const std::string& key : table.keys()) {
      if (key == "ranks" || key == "times" || key == "file") continue;
      throw table.bad(key, "belongs to a kind of distribution, of which there is none here");
    }
  }
  if (table.has("times")) {
    for (const auto& [text, where] : table.texts("times")) {
      try {
        arrival.times_s.push_back(parse_duration(text));
      } catch (const Error& error) {
        throw Error(error.code(), error.message(), where);
      }
    }
    if (arrival.times_s.empty()) throw table.bad("times", "is empty");
  }
  if (table.has("file")) {
    // A fault within the file keeps its own place.
    const std::string name = table.text("file");
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::exists(path)) {
      throw table.bad("file", fmt::format("\"{}\" does not exist", path.string()));
    }
    arrival.times_s = load_arrival_times(path);
  }
  return checked(table, std::move(arrival));
}

SlowLink read_slow_link(const TomlTable& table) {
  table.allow_only({"links", "bandwidth_factor", "bandwidth", "extra_latency", "from", "until"});
  SlowLink slow;
  slow.links = read_names(table, "links");
  slow.bandwidth_factor = table.optional_number("bandwidth_factor", -kAny, kAny).value_or(1);
  read_if_there(table, "bandwidth", slow.bandwidth_bytes_per_s, parse_bandwidth);
  read_if_there(table, "extra_latency", slow.extra_latency_s, parse_duration);
  slow.window = read_window(table);
  return checked(table, std::move(slow));
}

LinkDown read_link_down(const TomlTable& table) {
  table.allow_only({"links", "at", "up"});
  LinkDown down;
  down.links = read_names(table, "links");
  down.at_s = duration(table, "at");
  read_if_there(table, "up", down.up_s, parse_duration);
  return checked(table, std::move(down));
}

FlappingLink read_flapping_link(const TomlTable& table) {
  table.allow_only({"links", "first", "period", "down", "until"});
  FlappingLink flapping;
  flapping.links = read_names(table, "links");
  read_if_there(table, "first", flapping.first_s, parse_duration);
  flapping.period_s = duration(table, "period");
  flapping.down_s = duration(table, "down");
  read_if_there(table, "until", flapping.until_s, parse_duration);
  return checked(table, std::move(flapping));
}

Failure read_failure(const TomlTable& table) {
  table.allow_only({"rank", "node", "device", "at"});
  if (table.has("rank") + table.has("node") + table.has("device") != 1) {
    throw Error(ErrorCode::usage, "a failure needs one of rank, node and device", table.where());
  }
  Failure failure;
  for (const FailureKind kind : all_failure_kinds()) {
    if (table.has(name_of(kind))) failure.kind = kind;
  }
  if (failure.kind == FailureKind::device) {
    failure.device = table.text("device");
  } else {
    failure.number =
        static_cast<int>(table.optional_whole(name_of(failure.kind), 0, kMostWhole).value());
  }
  failure.at_s = duration(table, "at");
  return checked(table, std::move(failure));
}

BackgroundTraffic read_traffic(const TomlTable& table) {
  table.allow_only({"pattern", "places", "from_device", "to_device", "load", "flows_per_s", "bytes",
                    "sizes", "from", "until", "max_flows"});
  BackgroundTraffic traffic;
  traffic.pattern = table.one_of("pattern", all_traffic_patterns());
  if (table.has("places")) traffic.places = read_names(table, "places");
  traffic.from_device = table.optional_text("from_device").value_or("");
  traffic.to_device = table.optional_text("to_device").value_or("");
  read_if_there(table, "load", traffic.load_bytes_per_s, parse_bandwidth);
  traffic.flows_per_s = table.optional_number("flows_per_s", -kAny, kAny);
  if (table.has("bytes") && table.has("sizes"))
    throw table.bad("sizes", "and bytes exclude each other");
  if (table.has("bytes")) {
    traffic.bytes = Distribution::fixed(table.parsed("bytes", whole_bytes));
  } else if (const auto sizes = table.optional_table("sizes")) {
    sizes->allow_only({"kind", "value", "low", "high", "mean", "sd", "median", "sigma", "offset",
                       "scale", "shape"});
    traffic.bytes = read_distribution(*sizes, whole_bytes);
    if (const auto fault = fault_of(traffic.bytes)) throw sizes->bad(fault->key, fault->why);
  }
  traffic.window = read_window(table);
  traffic.max_flows =
      table.optional_whole("max_flows", 1, std::numeric_limits<std::int64_t>::max());
  return checked(table, std::move(traffic));
}

FailurePolicy read_failure_policy(const TomlTable& table) {
  table.allow_only({"response", "timeout", "restart_cost"});
  FailurePolicy policy;
  if (table.has("response")) policy.response = table.one_of("response", all_failure_responses());
  read_if_there(table, "timeout", policy.timeout_s, parse_duration);
  read_if_there(table, "restart_cost", policy.restart_cost_s, parse_duration);
  return checked(table, std::move(policy));
}

template <class Disturbance, class Read>
void read_all(const TomlTable& root, std::string_view key, std::vector<Disturbance>& entries,
              Read read) {
  for (const TomlTable& table : root.tables(key)) entries.push_back(read(table));
}

}  // namespace

Scenario read_scenario_toml(std::string_view text, const std::string& file_name) {
  const TomlTable root = TomlTable::parse(text, file_name);
  root.allow_only({"name", "description", "slow_rank", "delay", "noise", "arrival", "slow_link",
                   "link_down", "flapping_link", "failure", "traffic", "failure_policy"});
  const auto folder = std::filesystem::path(file_name).parent_path();
  Scenario scenario;
  scenario.name = root.optional_text("name").value_or("");
  scenario.description = root.optional_text("description").value_or("");
  read_all(root, "slow_rank", scenario.slow_ranks, read_slow_rank);
  read_all(root, "delay", scenario.delays, read_delay);
  read_all(root, "noise", scenario.noises, read_noise);
  read_all(root, "arrival", scenario.arrivals,
           [&folder](const TomlTable& table) { return read_arrival(table, folder); });
  read_all(root, "slow_link", scenario.slow_links, read_slow_link);
  read_all(root, "link_down", scenario.links_down, read_link_down);
  read_all(root, "flapping_link", scenario.flapping_links, read_flapping_link);
  read_all(root, "failure", scenario.failures, read_failure);
  read_all(root, "traffic", scenario.traffic, read_traffic);
  if (const auto table = root.optional_table("failure_policy")) {
    scenario.failure_policy = read_failure_policy(*table);
  }
  return scenario;
}

Scenario load_scenario(const std::string& path) {
  return read_scenario_toml(read_text_file(path), path);
}

}  // namespace reducelab
