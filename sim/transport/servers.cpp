#include "sim/transport/servers.h"

#include <algorithm>

namespace reducelab {

ServerUse Servers::use(const ServerRequest& request) {
  const auto first = free_s_.begin() + static_cast<std::ptrdiff_t>(request.device * per_device_);
  double& free_s = *std::min_element(first, first + static_cast<std::ptrdiff_t>(per_device_));
  const double begin_s = std::max(request.asked_s, free_s);
  free_s = timelines_.empty() ? begin_s + request.nominal_s
                              : timelines_[static_cast<std::size_t>(request.participant)].finish(
                                    request.resource, begin_s, request.nominal_s);
  return {begin_s, free_s};
}

void Servers::sort_by_turn() {
  // Equal turns are messages of one connection, or work of one strand, which come in order.
  const auto earlier = [](const ServerRequest& a, const ServerRequest& b) {
    return a.device != b.device ? a.device < b.device : a.turn < b.turn;
  };
  if (!std::ranges::is_sorted(serving_, earlier)) std::ranges::stable_sort(serving_, earlier);
}

}  // namespace reducelab
