#pragma once

#include <optional>
#include <string>

#include "algorithms/program.h"
#include "algorithms/registry.h"

/// The all-reduce programs and their closed forms: one file each, one registry row each.
namespace reducelab::allreduce {

Program linear(Rank self);
Program one_shot(Rank self);
Program two_shot(Rank self);
Program binomial(Rank self);
Program recursive_doubling(Rank self);
Program rabenseifner(Rank self);
Program ring(Rank self);
Program segmented_ring(Rank self);
Program bidirectional_ring(Rank self);
Program circulant(Rank self);
Program double_tree(Rank self);
Program hierarchical(Rank self);
Program parameter_server_worker(Rank self);
Program parameter_server(Rank self);

std::optional<ClosedForm> linear_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> one_shot_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> two_shot_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> binomial_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> recursive_doubling_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> rabenseifner_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> ring_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> segmented_ring_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> bidirectional_ring_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> circulant_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> double_tree_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> hierarchical_cost(const World& world, const CostModel& model);
std::optional<ClosedForm> parameter_server_cost(const World& world, const CostModel& model);

Relabelling two_shot_symmetry(const World& world);
Relabelling recursive_doubling_symmetry(const World& world);
Relabelling rabenseifner_symmetry(const World& world);
Relabelling ring_symmetry(const World& world);
Relabelling segmented_ring_symmetry(const World& world);
Relabelling bidirectional_ring_symmetry(const World& world);
Relabelling hierarchical_symmetry(const World& world);

/// Refuses a `root` that is not a rank.
std::string root_refusal(const World& world);
std::string hierarchical_refusal(const World& world);
std::string parameter_server_refusal(const World& world);
Extras parameter_server_extras(const World& world);

}  // namespace reducelab::allreduce
