#include <algorithm>

#include "sim/scenario/resolve_parts.h"

namespace reducelab {
namespace {

/// Calls `change` for each named rank's timeline of each named resource.
template <class Disturbance, class Change>
void change_timelines(const ResolveInput& input, const Disturbance& disturbance,
                      std::vector<RankTimeline>& timelines, Change change) {
  const std::vector<int> ranks =
      at_origin(disturbance.origin, [&] { return ranks_of(disturbance.ranks, input.ranks); });
  for (const int rank : ranks) {
    for (const Resource resource : kResources) {
      if (!disturbance.resources.contains(resource)) continue;
      change(rank, timelines[static_cast<std::size_t>(rank)].of(resource));
    }
  }
}

void resolve_timelines(const ResolveInput& input, std::vector<RankTimeline>& timelines) {
  for (const SlowRank& slow : input.scenario.slow_ranks) {
    change_timelines(input, slow, timelines, [&slow](int, ResourceTimeline& timeline) {
      timeline.slow_down(slow.window, slow.factor);
    });
  }
  for (const Delay& delay : input.scenario.delays) {
    change_timelines(input, delay, timelines, [&delay](int, ResourceTimeline& timeline) {
      timeline.pause({delay.at_s, delay.at_s + delay.duration_s});
    });
  }
  for (std::size_t i = 0; i < input.scenario.noises.size(); ++i) {
    const Noise& noise = input.scenario.noises[i];
    change_timelines(input, noise, timelines, [&](int rank, ResourceTimeline& timeline) {
      const RandomStream stream(input.seed, RandomPurpose::noise, static_cast<std::uint64_t>(rank));
      const double phase_s = noise.synchronised ? 0 : noise.period_s * stream.uniform(i);
      timeline.add_noise(phase_s, noise.period_s, noise.duration_s);
      if (timeline.noise_share() < 1) return;
      throw Error(ErrorCode::usage,
                  fmt::format("with this noise rank {} has {:.4g} of its time taken: nothing would "
                              "be left to work in",
                              rank, timeline.noise_share()),
                  noise.origin.place);
    });
  }
}

void resolve_arrivals(const ResolveInput& input, std::vector<double>& arrival_s) {
  for (std::size_t i = 0; i < input.scenario.arrivals.size(); ++i) {
    const Arrival& arrival = input.scenario.arrivals[i];
    const std::vector<int> ranks =
        at_origin(arrival.origin, [&] { return ranks_of(arrival.ranks, input.ranks); });
    if (!arrival.times_s.empty() && arrival.times_s.size() < ranks.size()) {
      throw Error(ErrorCode::usage,
                  fmt::format("{} arrival times for {} ranks: one for each is needed",
                              arrival.times_s.size(), ranks.size()),
                  arrival.origin.place);
    }
    arrival_s.resize(input.placement.size());
    for (std::size_t j = 0; j < ranks.size(); ++j) {
      const auto rank = static_cast<std::size_t>(ranks[j]);
      const RandomStream stream(input.seed, RandomPurpose::arrival, rank);
      arrival_s[rank] +=
          arrival.times_s.empty() ? draw(arrival.distribution, stream, i) : arrival.times_s[j];
    }
  }
}

}  // namespace

void resolve_ranks(const ResolveInput& input, ResolvedScenario& resolved) {
  const Scenario& scenario = input.scenario;
  if (!scenario.slow_ranks.empty() || !scenario.delays.empty() || !scenario.noises.empty()) {
    resolved.timelines.resize(input.placement.size());
    resolve_timelines(input, resolved.timelines);
    if (std::ranges::all_of(resolved.timelines, &RankTimeline::plain)) resolved.timelines.clear();
  }
  resolve_arrivals(input, resolved.arrival_s);
  if (std::ranges::all_of(resolved.arrival_s, [](double at_s) { return at_s == 0; })) {
    resolved.arrival_s.clear();
  }
}

}  // namespace reducelab
