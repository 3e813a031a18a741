#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/scenario/pulse_train.h"
#include "sim/scenario/resource.h"
#include "sim/scenario/window.h"

namespace reducelab {

/// How fast one resource of a rank works over time: piecewise constant, with pauses and periodic
/// noise.
class ResourceTimeline {
 public:
  /// Work takes `factor` times as long during the window (times what other calls say).
  void slow_down(Window window, double factor);
  /// Nothing is done during the window.
  void pause(Window window) { slow_down(window, kForever); }
  /// Nothing is done in [phase_s + k period_s, phase_s + k period_s + duration_s) for any whole k;
  /// phase_s is in [0, period_s), duration_s below period_s.
  void add_noise(double phase_s, double period_s, double duration_s);

  bool plain() const { return segments_.empty() && noises_.empty(); }
  /// The share of time that noise takes if it never overlaps; work ends only while it is below 1.
  double noise_share() const;

  /// The earliest time by which work of nominal length `busy_s`, begun at `begin_s`, is done: the
  /// speed integrated exactly, whatever the number of noise periods (only with several noises at
  /// once are the pauses of all but the most frequent stepped through). Never decreases when either
  /// argument grows; `begin_s + busy_s` to the bit if plain, `begin_s + busy_s * factor` if that
  /// factor always holds.
  double finish(double begin_s, double busy_s) const {
    return plain() ? begin_s + busy_s : finish_disturbed(begin_s, busy_s);
  }

  bool operator==(const ResourceTimeline&) const = default;

 private:
  struct Segment {
    double until_s;
    double slowness;  // infinite: pause
    bool operator==(const Segment&) const = default;
  };
  struct Progress {
    double at_s;
    double left_s;  // 0: done
  };

  void split_at(double t);
  double finish_disturbed(double begin_s, double busy_s) const;
  /// Runs for `need_s` of time free of the noises from `level` on, but not beyond `limit_s`.
  Progress run(std::size_t level, double t, double need_s, double limit_s) const;

  std::vector<Segment> segments_;   // from time 0 on; empty: slowness 1
  std::vector<PulseTrain> noises_;  // the most frequent last
};

/// How fast a rank works: one timeline per resource.
class RankTimeline {
 public:
  ResourceTimeline& of(Resource resource) { return resources_[static_cast<std::size_t>(resource)]; }
  const ResourceTimeline& of(Resource resource) const {
    return resources_[static_cast<std::size_t>(resource)];
  }

  /// See ResourceTimeline::finish.
  double finish(Resource resource, double begin_s, double busy_s) const {
    return of(resource).finish(begin_s, busy_s);
  }
  /// True if nothing disturbs the rank.
  bool plain() const {
    return resources_[0].plain() && resources_[1].plain() && resources_[2].plain();
  }

  bool operator==(const RankTimeline&) const = default;

 private:
  std::array<ResourceTimeline, kResources.size()> resources_;
};

}  // namespace reducelab
