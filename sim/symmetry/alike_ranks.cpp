#include "sim/symmetry/alike_ranks.h"

#include <algorithm>
#include <vector>

namespace reducelab {
namespace {

/// Members of the group that all others are made of, each as rank -> rank.
std::vector<int> generators(Relabelling group, int ranks) {
  std::vector<int> members{1};
  if (group == Relabelling::exclusive_or) {
    for (int k = 2; k < ranks; k *= 2) members.push_back(k);
  }
  return members;
}

}  // namespace

AlikeRanks::AlikeRanks(const Job& job, Relabelling group)
    : job_(job), group_(group), links_(job.topology, job.placement) {}

std::unique_ptr<AlikeRanks> AlikeRanks::find(const Job& job) {
  const int ranks = job.world.ranks;
  if (ranks < 2 || job.world.extras > 0 || !job.algorithm->symmetry) return nullptr;
  const Relabelling group = job.algorithm->symmetry(job.world);
  if (group == Relabelling::none) return nullptr;
  std::unique_ptr<AlikeRanks> alike(new AlikeRanks(job, group));
  std::vector<int> image(static_cast<std::size_t>(ranks));
  for (const int member : generators(group, ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
      image[static_cast<std::size_t>(rank)] = relabelled(group, member, rank, ranks);
    }
    if (!alike->links_.allows(image)) return nullptr;
  }
  return alike;
}

const Route& AlikeRanks::route(Router& router, int to) {
  const auto known = routes_.find(to);
  if (known != routes_.end()) return known->second;
  const Route& real = router.route(job_.placement[0], job_.placement[static_cast<std::size_t>(to)]);
  Route route = real;
  route.links.clear();
  if (!real.only) routes_hold_ = false;
  // A class smaller than the number of ranks carries several ranks' messages on each link. Beyond
  // some number that is slower to simulate than it is worth.
  constexpr std::int64_t kMostOnALink = 4096;
  for (const LinkId link : real.links) {
    const std::int64_t links = links_.class_size(link);
    const std::int64_t times = job_.world.ranks / links;
    if (times * links != job_.world.ranks || times > kMostOnALink) routes_hold_ = false;
    for (std::int64_t i = 0; i < std::min(times, kMostOnALink); ++i) {
      route.links.push_back(links_.class_of(link));
    }
  }
  return routes_.emplace(to, std::move(route)).first->second;
}

}  // namespace reducelab
