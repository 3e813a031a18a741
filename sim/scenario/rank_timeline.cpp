#include "sim/scenario/rank_timeline.h"

#include <algorithm>
#include <cmath>

namespace reducelab {
namespace {

/// Time free of noise from the start of its span 0 to x. This and its inverse never decrease, not
/// even by rounding: `finish` inherits that.
double free_until(const PulseTrain& noise, double x) {
  const double free = noise.period_s - noise.length_s;
  const double k = noise.index_at(x);
  const double in_gap = std::clamp(x - noise.end(k), 0.0, free);
  return std::min(k * free + in_gap, (k + 1) * free);
}

/// The earliest time with `free_until` = y.
double reach(const PulseTrain& noise, double y) {
  const double free = noise.period_s - noise.length_s;
  double k = std::max(0.0, std::ceil(y / free) - 1);
  if (k > 0 && k * free >= y) {
    --k;
  } else if ((k + 1) * free < y) {
    ++k;
  }
  return std::min(noise.end(k) + (y - k * free), noise.start(k + 1));
}

}  // namespace

void ResourceTimeline::split_at(double t) {
  if (t <= 0 || t == kForever) return;
  const auto found =
      std::ranges::find_if(segments_, [t](const Segment& segment) { return segment.until_s >= t; });
  if (found->until_s != t) segments_.insert(found, {t, found->slowness});
}

void ResourceTimeline::slow_down(Window window, double factor) {
  if (segments_.empty()) segments_.push_back({kForever, 1});
  split_at(window.from_s);
  split_at(window.until_s);
  for (Segment& segment : segments_) {
    if (segment.until_s > window.from_s && segment.until_s <= window.until_s) {
      segment.slowness *= factor;
    }
  }
  std::vector<Segment> merged;
  for (const Segment& segment : segments_) {
    if (!merged.empty() && merged.back().slowness == segment.slowness) merged.pop_back();
    merged.push_back(segment);
  }
  if (merged.size() == 1 && merged.front().slowness == 1) merged.clear();
  segments_ = std::move(merged);
}

void ResourceTimeline::add_noise(double phase_s, double period_s, double duration_s) {
  // One period back: a pause may be under way at time 0.
  const PulseTrain noise{phase_s - period_s, duration_s, period_s, kForever};
  const auto place = std::ranges::find_if(
      noises_, [period_s](const PulseTrain& other) { return other.period_s < period_s; });
  noises_.insert(place, noise);
}

double ResourceTimeline::noise_share() const {
  double share = 0;
  for (const PulseTrain& noise : noises_) share += noise.length_s / noise.period_s;
  return share;
}

double ResourceTimeline::finish_disturbed(double begin_s, double busy_s) const {
  if (busy_s <= 0) return begin_s;
  double t = begin_s;
  double work_s = busy_s;
  auto segment = std::ranges::partition_point(
      segments_, [begin_s](const Segment& past) { return past.until_s <= begin_s; });
  for (; segment != segments_.end(); ++segment) {
    if (segment->slowness < kForever) {
      const auto [at_s, left_s] = run(0, t, work_s * segment->slowness, segment->until_s);
      if (left_s <= 0) return at_s;
      work_s = left_s / segment->slowness;
    }
    t = segment->until_s;
  }
  // Without segments there is noise alone; with them the last one, endless and no pause, returned.
  return run(0, t, work_s, kForever).at_s;
}

ResourceTimeline::Progress ResourceTimeline::run(std::size_t level, double t, double need_s,
                                                 double limit_s) const {
  if (level == noises_.size()) {
    const double end_s = t + need_s;
    if (end_s <= limit_s) return {end_s, 0};
    return {limit_s, std::max(0.0, need_s - (limit_s - t))};
  }
  const PulseTrain& noise = noises_[level];
  if (level + 1 == noises_.size()) {
    const double target = free_until(noise, t) + need_s;
    if (limit_s < kForever) {
      const double most = free_until(noise, limit_s);
      if (target > most) return {limit_s, target - most};
    }
    return {std::max(t, std::min(limit_s, reach(noise, target))), 0};
  }
  for (double k = noise.index_at(t);; ++k) {
    const double gap_begin = std::max(t, noise.end(k));
    const double gap_end = std::min(noise.start(k + 1), limit_s);
    if (gap_begin < gap_end) {
      const Progress progress = run(level + 1, gap_begin, need_s, gap_end);
      if (progress.left_s <= 0) return progress;
      need_s = progress.left_s;
    }
    if (gap_end >= limit_s) return {limit_s, need_s};
  }
}

}  // namespace reducelab
