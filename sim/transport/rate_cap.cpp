#include "sim/transport/rate_cap.h"

#include <algorithm>

namespace reducelab {

RateCap rate_cap(const Job& job, const Protocol& protocol, LinkKind kind) {
  const Params& params = job.world.params;
  const auto channels =
      static_cast<double>(params.has("channels") ? params.integer("channels") : 1);
  const auto by_kind = static_cast<std::size_t>(kind);
  const double efficiency = protocol.efficiency[by_kind];
  const double rank_cap = protocol.rank_cap_bytes_per_s[by_kind];
  const double channel_cap = protocol.channel_cap_bytes_per_s;
  const auto drivers = static_cast<double>(std::max<std::int64_t>(job.profile.default_channels, 1));
  return {std::min(rank_cap / channels, channel_cap) / efficiency,
          std::min(rank_cap, channel_cap * drivers) / efficiency};
}

}  // namespace reducelab
