#pragma once

#include <vector>

#include "algorithms/rank.h"

namespace reducelab::allreduce {

/// The members of `self`'s view by node, as local numbers; nodes without a member are left out. A
/// world that says nothing of nodes has one rank on each.
std::vector<std::vector<int>> nodes_of(const Rank& self);

/// True if the ranks, read node by node, are 0, 1, 2 ..; so they are where nothing is said of nodes.
bool in_rank_order(const World& world);

}  // namespace reducelab::allreduce
