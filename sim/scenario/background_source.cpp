#include "sim/scenario/background_source.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reducelab {
namespace {

/// Draws of flow k: its distance from the one before, its size, its target.
constexpr std::uint64_t kDraws = 3;
/// A heavy tail ends here: beyond it doubles do not hold whole bytes.
constexpr double kMostBytes = 0x1p53;

std::uint64_t most_flows(const BackgroundTraffic& traffic) {
  if (!traffic.load_bytes_per_s && !traffic.flows_per_s) return 1;
  if (!traffic.max_flows) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(*traffic.max_flows);
}

double rate_of(const BackgroundTraffic& traffic) {
  if (traffic.flows_per_s) return *traffic.flows_per_s;
  return traffic.load_bytes_per_s ? *traffic.load_bytes_per_s / mean_of(traffic.bytes) : 0;
}

}  // namespace

BackgroundSource::BackgroundSource(const BackgroundTraffic& traffic, DeviceId from, DeviceId to,
                                   std::shared_ptr<const std::vector<DeviceId>> targets,
                                   RandomStream stream)
    : from_(from),
      to_(to),
      targets_(std::move(targets)),
      flows_per_s_(rate_of(traffic)),
      bytes_(traffic.bytes),
      window_(traffic.window),
      flows_(most_flows(traffic)),
      stream_(stream),
      last_start_s_(window_.from_s) {
  if (to_ >= 0) return;
  own_place_ = static_cast<std::size_t>(std::ranges::find(*targets_, from_) - targets_->begin());
}

double BackgroundSource::start_of(std::uint64_t k) {
  if (flows_per_s_ == 0) return window_.from_s;
  if (k + 1 < drawn_) {
    drawn_ = 0;
    last_start_s_ = window_.from_s;
  }
  const Distribution gap = Distribution::exponential(1 / flows_per_s_);
  for (; drawn_ <= k && last_start_s_ < window_.until_s; ++drawn_) {
    last_start_s_ += draw(gap, stream_, drawn_ * kDraws);
  }
  return last_start_s_;
}

std::optional<BackgroundFlow> BackgroundSource::flow(std::uint64_t k) {
  if (k >= flows_) return std::nullopt;
  const double start_s = start_of(k);
  if (start_s >= window_.until_s) return std::nullopt;
  const double bytes = std::clamp(draw(bytes_, stream_, k * kDraws + 1), 1.0, kMostBytes);
  DeviceId to = to_;
  if (to < 0) {
    const std::size_t others = targets_->size() - 1;
    const double u = stream_.uniform(k * kDraws + 2);
    const auto place = static_cast<std::size_t>(u * static_cast<double>(others));
    to = (*targets_)[place < own_place_ ? place : place + 1];
  }
  return BackgroundFlow{start_s, from_, to, std::llround(bytes)};
}

}  // namespace reducelab
