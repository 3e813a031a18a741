#include "sim/job.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.h"
#include "sim/analytic/closed_form.h"
#include "sim/scenario/scenario_toml.h"
#include "topologies/catalogue.h"
#include "topologies/placement.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

/// The user's parameters over the profile's over the algorithm's own defaults.
Params merged_params(const Algorithm& algorithm, const Profile& profile,
                     std::map<std::string, std::string> given) {
  for (const ParamSpec& spec : algorithm.params) {
    if (spec.name == "channels" && profile.default_channels > 0) {
      given.try_emplace("channels", std::to_string(profile.default_channels));
    }
  }
  return complete_params(algorithm, given);
}

/// Extras of a colocating algorithm share the devices of the ranks, in order.
std::vector<DeviceId> place(const Job& job, const Extras& extras) {
  if (!extras.colocated) {
    return place_ranks(job.topology, job.world.ranks, job.spec.placement, extras.count);
  }
  std::vector<DeviceId> placement = place_ranks(job.topology, job.world.ranks, job.spec.placement);
  for (int k = 0; k < extras.count; ++k) {
    placement.push_back(placement[static_cast<std::size_t>(k % job.world.ranks)]);
  }
  return placement;
}

/// Protocols as they are for an algorithm: what it does with a channel decides what that can do.
void adapt_protocols(Job& job) {
  if (!job.algorithm->splits_channels) return;
  for (Protocol& protocol : job.profile.protocols) {
    if (!protocol.split) continue;
    protocol.latency_s = protocol.split->latency_s;
    protocol.channel_cap_bytes_per_s = protocol.split->channel_cap_bytes_per_s;
  }
}

/// True if every two ranks of a node are neighbours.
bool is_meshed(const Job& job) {
  Router router(job.topology);
  for (const std::vector<int>& node : job.world.nodes) {
    const auto device = [&](std::size_t i) {
      return job.placement[static_cast<std::size_t>(node[i])];
    };
    for (std::size_t i = 1; i < node.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (router.route(device(k), device(i)).links.size() != 1) return false;
      }
    }
  }
  return true;
}

/// The slowest class of link between neighbours in rank order.
LinkKind slowest_kind(const Job& job) {
  Router router(job.topology);
  LinkKind slowest = LinkKind::nvlink;
  for (std::size_t i = 1; i < job.placement.size(); ++i) {
    slowest = std::max(slowest, router.route(job.placement[i - 1], job.placement[i]).kind);
  }
  return slowest;
}

Protocol choose_protocol(const Job& job) {
  const std::vector<Protocol>& protocols = job.profile.protocols;
  if (!job.spec.protocol.empty()) {
    std::vector<std::string_view> names;
    for (const Protocol& protocol : protocols) {
      if (protocol.name == job.spec.protocol) return protocol;
      names.push_back(protocol.name);
    }
    throw unknown_name("protocol", job.spec.protocol, names);
  }
  if (protocols.size() == 1) return protocols.front();
  const LinkKind slowest = slowest_kind(job);
  const bool any_reaches =
      std::any_of(protocols.begin(), protocols.end(),
                  [&](const Protocol& protocol) { return protocol.reach >= slowest; });
  const Protocol* best = &protocols.front();
  double best_s = std::numeric_limits<double>::infinity();
  for (const Protocol& protocol : protocols) {
    if (any_reaches && protocol.reach < slowest) continue;
    const double time_s = estimate_time_s(job, protocol);
    if (time_s < best_s) {
      best_s = time_s;
      best = &protocol;
    }
  }
  return *best;
}

/// Unless the user said how many: no more channels than the protocol finds work for.
void set_default_channels(Job& job) {
  Params& params = job.world.params;
  const std::int64_t least = job.protocol.channel_bytes;
  if (least == 0 || !params.has("channels") || job.spec.params.count("channels") != 0) return;
  const std::int64_t bytes = job.world.count * job.world.element_bytes;
  const std::int64_t most = params.integer("channels");
  params.set("channels", std::to_string(std::clamp<std::int64_t>(bytes / least, 1, most)));
}

/// Hops that a slice makes up a tree over nodes with a chain in each: NCCL's depth of a pipeline.
double pipeline_hops(const World& world) {
  std::size_t longest = 1;
  for (const std::vector<int>& node : world.nodes) longest = std::max(longest, node.size());
  const auto heads = static_cast<double>(world.nodes.empty() ? static_cast<std::size_t>(world.ranks)
                                                             : world.nodes.size());
  return std::max(1.0, static_cast<double>(longest) - 1 + std::floor(std::log2(heads)));
}

/// The slice of a pipelined algorithm: the protocol's rules applied to this job's message.
std::int64_t ruled_slice(const Job& job) {
  const Protocol& protocol = job.protocol;
  if (protocol.slice_rules.empty()) return protocol.slice_bytes;
  const Params& params = job.world.params;
  const std::int64_t channels = params.has("channels") ? params.integer("channels") : 1;
  const double bytes = static_cast<double>(job.world.count * job.world.element_bytes) /
                       static_cast<double>(channels);
  const double hops = pipeline_hops(job.world);
  std::int64_t slice = protocol.slot_bytes;
  for (const SliceRule& rule : protocol.slice_rules) {
    while (slice > rule.least_bytes &&
           bytes < rule.slices_per_hop * hops * static_cast<double>(slice)) {
      slice /= 2;
    }
  }
  return std::max(slice, protocol.slice_bytes);
}

/// How finely a protocol cuts messages, for algorithms that let it. Block-wise algorithms (whose
/// own default is whole blocks) fill the protocol's slots; pipelined ones forward its slices.
void set_default_slice(Job& job) {
  // More slices than this fill no pipeline any better, but each costs as much to simulate.
  constexpr std::int64_t kMostSlicesPerChannel = 64;
  if (job.spec.params.count("slice_bytes") != 0) return;
  for (const ParamSpec& spec : job.algorithm->params) {
    if (spec.name != "slice_bytes") continue;
    const bool pipelined = spec.default_value != "0";
    Params& params = job.world.params;
    std::int64_t slice = pipelined ? job.protocol.slice_bytes : job.protocol.slot_bytes;
    if (slice == 0) return;
    if (pipelined) {
      slice = ruled_slice(job);
      const std::int64_t channels = params.has("channels") ? params.integer("channels") : 1;
      const std::int64_t bytes = job.world.count * job.world.element_bytes;
      slice = std::max(slice, bytes / (channels * kMostSlicesPerChannel));
    }
    params.set("slice_bytes", std::to_string(slice - slice % job.world.element_bytes));
  }
}

}  // namespace

Job make_job(const RunSpec& spec) {
  Job job;
  job.spec = spec;
  if (spec.collective != "allreduce") {
    throw unknown_name("collective", spec.collective, {"allreduce"});
  }
  if (spec.bytes < 0) throw usage_error("the size must not be negative: {}", spec.bytes);
  job.algorithm = &find_algorithm(spec.algorithm);
  job.profile = load_profile(spec.profile);
  job.topology = resolve_topology(spec.topology);

  const int places = static_cast<int>(job.topology.endpoints().size());
  World world;
  world.ranks = spec.ranks == 0 ? places : spec.ranks;
  if (world.ranks < 1) throw usage_error("--ranks must be at least 1, not {}", spec.ranks);
  world.places = places;
  world.element_bytes = size_of(spec.type);
  world.count = spec.bytes / world.element_bytes;
  world.params = merged_params(*job.algorithm, job.profile, spec.params);
  job.world = std::move(world);
  job.world.nodes = ranks_by_node(
      job.topology, place_ranks(job.topology, job.world.ranks, spec.placement), job.world.ranks);
  job.world = prepare_world(*job.algorithm, std::move(job.world));
  const Extras extras = job.algorithm->extras ? job.algorithm->extras(job.world) : Extras{};
  job.placement = place(job, extras);
  job.world.meshed = is_meshed(job);
  adapt_protocols(job);

  job.identity.resize(static_cast<std::size_t>(job.world.ranks));
  std::iota(job.identity.begin(), job.identity.end(), 0);
  if (!spec.scenario.empty()) {
    job.scenario = resolve(read_scenario_toml(spec.scenario, "scenario"), job.topology,
                           job.placement, job.world.ranks, spec.seed);
  }
  job.protocol = choose_protocol(job);
  set_default_channels(job);
  set_default_slice(job);
  job.spec.ranks = job.world.ranks;
  job.spec.params.clear();
  for (const auto& [name, value] : job.world.params.values()) job.spec.params[name] = value;
  job.spec.protocol = job.protocol.name;
  return job;
}

Job without(const Job& job, const std::vector<int>& participants) {
  Job rest = job;
  rest.placement.clear();
  rest.identity.clear();
  rest.scenario.timelines.clear();
  rest.scenario.arrival_s.clear();
  const auto remains = [&](int participant) {
    return std::ranges::find(participants, participant) == participants.end();
  };
  const auto keep = [&](int participant) {
    const auto i = static_cast<std::size_t>(participant);
    rest.placement.push_back(job.placement[i]);
    if (!job.scenario.timelines.empty()) {
      rest.scenario.timelines.push_back(job.scenario.timelines[i]);
    }
  };
  for (int rank = 0; rank < job.world.ranks; ++rank) {
    if (!remains(rank)) continue;
    keep(rank);
    rest.identity.push_back(job.identity[static_cast<std::size_t>(rank)]);
  }
  const auto ranks = static_cast<int>(rest.identity.size());
  rest.world.ranks = ranks;
  rest.world.extras = 0;
  rest.world.nodes = ranks_by_node(job.topology, rest.placement, ranks);
  try {
    rest.world = prepare_world(*job.algorithm, std::move(rest.world));
  } catch (const Error& error) {
    throw run_error("cannot shrink to {} ranks: {}", ranks, error.what());
  }
  const Extras extras = job.algorithm->extras ? job.algorithm->extras(rest.world) : Extras{};
  const int participants_before = static_cast<int>(job.placement.size());
  for (int k = 0, next = job.world.ranks; k < extras.count; ++k) {
    if (extras.colocated) {
      const auto host = static_cast<std::size_t>(k % ranks);
      rest.placement.push_back(rest.placement[host]);
      if (!rest.scenario.timelines.empty()) {
        rest.scenario.timelines.push_back(rest.scenario.timelines[host]);
      }
      continue;
    }
    while (next < participants_before && !remains(next)) ++next;
    if (next == participants_before) {
      throw run_error("cannot shrink: {} servers are needed, but {} are left", extras.count, k);
    }
    keep(next++);
  }
  rest.world.meshed = is_meshed(rest);
  return rest;
}

Job with_replacements(const Job& job, const std::vector<int>& participants,
                      const std::vector<DeviceId>& devices) {
  Job changed = job;
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const auto participant = static_cast<std::size_t>(participants[i]);
    changed.placement[participant] = devices.at(i);
    // The disturbance was the old device's.
    if (!changed.scenario.timelines.empty()) changed.scenario.timelines[participant] = {};
  }
  changed.world.nodes = ranks_by_node(job.topology, changed.placement, job.world.ranks);
  changed.world.meshed = is_meshed(changed);
  return changed;
}

}  // namespace reducelab
