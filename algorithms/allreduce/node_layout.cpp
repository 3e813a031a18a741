#include "algorithms/allreduce/node_layout.h"

namespace reducelab::allreduce {

std::vector<std::vector<int>> nodes_of(const Rank& self) {
  std::vector<std::vector<int>> nodes;
  if (self.world().nodes.empty()) {
    for (int i = 0; i < self.size(); ++i) nodes.push_back({i});
    return nodes;
  }
  std::vector<int> local_number(static_cast<std::size_t>(self.world().ranks), -1);
  for (int i = 0; i < self.size(); ++i) {
    local_number[static_cast<std::size_t>(self.participant(i))] = i;
  }
  for (const std::vector<int>& node : self.world().nodes) {
    std::vector<int> members;
    for (const int rank : node) {
      const int local = local_number[static_cast<std::size_t>(rank)];
      if (local >= 0) members.push_back(local);
    }
    if (!members.empty()) nodes.push_back(std::move(members));
  }
  return nodes;
}

bool in_rank_order(const World& world) {
  int next = 0;
  for (const std::vector<int>& node : world.nodes) {
    for (const int rank : node) {
      if (rank != next++) return false;
    }
  }
  return true;
}

}  // namespace reducelab::allreduce
