#include "random_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/scenario/scenario_toml.h"

namespace reducelab {
namespace {

/// How much slower each rank's next resource is than the one before.
constexpr double kUnlike = 1.00271828;

std::string device_name(const Case& source, int device) {
  return device < source.hosts ? fmt::format("h{}", device)
                               : fmt::format("s{}", device - source.hosts);
}

Program strand(Rank self, const Case& source, int channel) {
  for (const CaseLine& line : source.lines) {
    if (line.channel != channel) continue;
    const Range from{0, line.offset, line.elements};
    const Range to{0, line.target_offset, line.elements};
    if (line.kind == CaseLine::Kind::message && line.peer == self.id()) {
      if (line.reduces) {
        co_yield recv_reduce(line.rank, to);
      } else {
        co_yield recv(line.rank, to);
      }
    }
    if (line.rank != self.id()) continue;
    switch (line.kind) {
      case CaseLine::Kind::message:
        co_yield send(line.peer, from);
        break;
      case CaseLine::Kind::copy:
        co_yield copy(to, from);
        break;
      case CaseLine::Kind::reduce:
        co_yield reduce(to, from);
        break;
      case CaseLine::Kind::compute:
        co_yield compute(line.cost_s);
        break;
      case CaseLine::Kind::fence:
        co_yield fence();
        break;
    }
  }
}

Program all_strands(Rank self, const Case& source) {
  for (int channel = 1; channel < source.channels; ++channel) {
    co_yield spawn(strand(self.on_channel(channel), source, channel));
  }
  co_yield run(strand(self, source, 0));
  co_yield join();
}

std::string describe(const CaseLine& line) {
  const auto part = [&](std::int64_t offset) {
    return fmt::format("[{}, {})", offset, offset + line.elements);
  };
  switch (line.kind) {
    case CaseLine::Kind::message:
      return fmt::format("rank {} sends {} to rank {}, which {} {}", line.rank, part(line.offset),
                         line.peer, line.reduces ? "reduces it into" : "receives it into",
                         part(line.target_offset));
    case CaseLine::Kind::copy:
    case CaseLine::Kind::reduce:
      return fmt::format("rank {} {} {} into {}", line.rank,
                         line.kind == CaseLine::Kind::copy ? "copies" : "reduces",
                         part(line.offset), part(line.target_offset));
    case CaseLine::Kind::compute:
      return fmt::format("rank {} computes for {:.17g} s", line.rank, line.cost_s);
    case CaseLine::Kind::fence:
      return fmt::format("rank {} waits for all that it posted", line.rank);
  }
  return {};
}

std::string describe(const Profile& profile) {
  const Protocol& protocol = profile.protocols.front();
  return fmt::format(
      "overheads: send {:.17g} s, receive {:.17g} s; eager {} bytes; handshake {} latencies; "
      "window {}\n"
      "reductions: launch {:.17g} s, {:.17g} B/s, {} at once; copies {:.17g} B/s\n"
      "protocol: latency {::.17g} s, efficiency {::.17g}, rank cap {::.17g} B/s, channel cap "
      "{:.17g} B/s\n",
      profile.send_overhead_s, profile.receive_overhead_s, profile.eager_bytes,
      profile.handshake_latencies, profile.window, profile.reduction_launch_s,
      profile.reduction_bytes_per_s, profile.concurrent_reductions, profile.copy_bytes_per_s,
      protocol.latency_s, protocol.efficiency, protocol.rank_cap_bytes_per_s,
      protocol.channel_cap_bytes_per_s);
}

}  // namespace

std::string describe(const Case& described) {
  std::string text = fmt::format("case {}: {} ranks, {} channels\n", described.seed,
                                 described.hosts_of_ranks.size(), described.channels);
  for (const CaseCable& cable : described.cables) {
    text += fmt::format("{} {} {}: {:.17g} B/s, {:.17g} s, {}\n", device_name(described, cable.a),
                        cable.half_duplex ? "--" : "<->", device_name(described, cable.b),
                        cable.bytes_per_s, cable.latency_s, name_of(cable.kind));
  }
  text += fmt::format("rank -> host: {}\n", fmt::join(described.hosts_of_ranks, " "));
  text += describe(described.profile);
  if (described.unlike_ranks) {
    text += fmt::format("each resource of each rank takes {} times as long as the one before\n",
                        kUnlike);
  }
  for (const CaseLine& line : described.lines) {
    text += fmt::format("channel {}: {}\n", line.channel, describe(line));
  }
  if (!described.scenario.empty()) text += write_scenario_toml(described.scenario);
  return text;
}

Job case_job(const Case& source) {
  Job job;
  job.topology = Topology("case");
  for (int i = 0; i < source.hosts; ++i) {
    job.topology.add_device({device_name(source, i), DeviceKind::host, i, 0});
  }
  for (int i = source.hosts; i < source.hosts + source.switches; ++i) {
    job.topology.add_device({device_name(source, i), DeviceKind::switch_, -1, 0});
  }
  job.topology.set_hosts_forward(true);
  for (const CaseCable& cable : source.cables) {
    if (cable.half_duplex) {
      job.topology.add_link(
          {{}, cable.a, cable.b, cable.bytes_per_s, cable.latency_s, cable.kind, true});
    } else {
      job.topology.add_cable(cable.a, cable.b, cable.bytes_per_s, cable.latency_s, cable.kind);
    }
  }
  job.placement.assign(source.hosts_of_ranks.begin(), source.hosts_of_ranks.end());
  job.world.ranks = static_cast<int>(source.hosts_of_ranks.size());
  for (const CaseLine& line : source.lines) {
    const std::int64_t end = std::max(line.offset, line.target_offset) + line.elements;
    job.world.count = std::max(job.world.count, end);
  }
  job.world.params.set("channels", std::to_string(source.channels));
  job.profile = source.profile;
  job.protocol = source.profile.protocols.front();
  if (!source.scenario.empty()) {
    job.scenario = resolve(source.scenario, job.topology, job.placement, job.world.ranks, 1);
  }
  if (source.unlike_ranks) {
    job.scenario.timelines.resize(job.placement.size());
    double factor = 1;
    for (RankTimeline& timeline : job.scenario.timelines) {
      for (const Resource resource : kResources) {
        timeline.of(resource).slow_down({}, factor *= kUnlike);
      }
    }
  }
  return job;
}

ProgramMaker case_programs(const Case& source, const Job& job) {
  return [&source, &job](int participant, ScratchSizes* scratch) {
    return all_strands(Rank(job.world, participant, scratch), source);
  };
}

}  // namespace reducelab
