#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/rng.h"
#include "sim/scenario/background_traffic.h"
#include "topologies/topology.h"

namespace reducelab {

/// A flow of background traffic.
struct BackgroundFlow {
  double start_s = 0;
  DeviceId from = -1;
  DeviceId to = -1;
  std::int64_t bytes = 0;
  bool operator==(const BackgroundFlow&) const = default;
};

/// The flows of one source, made as they are asked for.
class BackgroundSource {
 public:
  /// Sends always to `to`, or if that is -1 each time to another of `targets`, which hold `from`.
  BackgroundSource(const BackgroundTraffic& traffic, DeviceId from, DeviceId to,
                   std::shared_ptr<const std::vector<DeviceId>> targets, RandomStream stream);

  DeviceId from() const { return from_; }

  /// Flow number k; none if the source ends before. The same at every call; starts never decrease
  /// with k. Asking in order costs a step each, going back starts over.
  std::optional<BackgroundFlow> flow(std::uint64_t k);

 private:
  double start_of(std::uint64_t k);

  DeviceId from_;
  DeviceId to_;
  std::shared_ptr<const std::vector<DeviceId>> targets_;
  std::size_t own_place_ = 0;  // of from_ among targets_
  double flows_per_s_ = 0;     // 0: one flow, at the start of the window
  Distribution bytes_;
  Window window_;
  std::uint64_t flows_;  // the most there are
  RandomStream stream_;
  std::uint64_t drawn_ = 0;  // starts drawn so far, and the last of them
  double last_start_s_ = 0;
};

}  // namespace reducelab
