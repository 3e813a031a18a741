#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/allreduce/cost_terms.h"
#include "algorithms/allreduce/parts.h"
#include "algorithms/allreduce/programs.h"

namespace reducelab::allreduce {

// Li et al., OSDI 2014, used synchronously. Server s sums block s of the vector. With slices the
// server takes in one slice while it reduces another and sends back a third.
Program parameter_server_worker(Rank self) {
  const std::int64_t slice_size = slice_elements(self.world());
  const int servers = self.extras();
  const Blocks shard = self.blocks(servers);
  const std::int64_t slices = Slices(shard[0], slice_size).size();  // no other shard is larger
  for (std::int64_t i = 0; i < slices; ++i) {
    for (int s = 0; s < servers; ++s) {
      const Slices slice(shard[s], slice_size);
      if (i >= slice.size()) continue;
      co_yield send(self.extra(s), slice[i]);
      co_yield recv(self.extra(s), slice[i]);
    }
  }
}

// Its vector starts as the identity of the reduction; the workers are folded in rank order, so the
// result does not depend on who comes first.
Program parameter_server(Rank self) {
  const Range shard = self.blocks(self.extras())[self.id() - self.size()];
  for (const Range slice : Slices(shard, slice_elements(self.world()))) {
    for (int worker = 0; worker < self.size(); ++worker) co_yield recv_reduce(worker, slice);
    for (int worker = 0; worker < self.size(); ++worker) co_yield send(worker, slice);
  }
}

Extras parameter_server_extras(const World& world) {
  const auto servers = static_cast<int>(world.params.integer("servers"));
  const std::string& placement = world.params.text("placement");
  const bool full = world.places > 0 && world.places < world.ranks + servers;
  return {servers, placement == "colocated" || (placement == "auto" && full)};
}

std::string parameter_server_refusal(const World& world) {
  const Extras extras = parameter_server_extras(world);
  if (!extras.colocated || extras.count <= world.ranks) return "";
  return fmt::format(
      "{} colocated servers need {} ranks, there are {}; use fewer servers or "
      "placement=own",
      extras.count, extras.count, world.ranks);
}

// A worker's port carries k shards, a server's p: the busier one sets the pace. All start-ups of
// one direction overlap. With S slices the two directions and the reduction overlap, except for
// the first and the last slice.
std::optional<ClosedForm> parameter_server_cost(const World& world, const CostModel& model) {
  if (nothing_to_do(world)) return ClosedForm{0, true};
  const CostTerms t(world, model);
  const auto [servers, colocated] = parameter_server_extras(world);
  const double shard = std::ceil(static_cast<double>(world.count) / servers);
  const auto limit = static_cast<double>(slice_elements(world));
  const double slices = limit > 0 ? std::ceil(shard / limit) : 1;
  const int remote_workers = colocated ? t.p - 1 : t.p;
  const int remote_servers = colocated ? servers - 1 : servers;
  const double move = std::max(remote_workers, remote_servers) * t.n_beta / servers / slices;
  const double reduce = t.p * t.n_gamma / servers / slices;
  return ClosedForm{2 * t.alpha + 2 * move + reduce + (slices - 1) * std::max(move, reduce),
                    !colocated && slices == 1 && world.count % servers == 0};
}

}  // namespace reducelab::allreduce
