#include <algorithm>

#include "sim/scenario/link_selector.h"
#include "sim/scenario/resolve_parts.h"

namespace reducelab {
namespace {

std::vector<DeviceId> failing_devices(const ResolveInput& input, const Failure& failure) {
  switch (failure.kind) {
    case FailureKind::rank:
      require_ranks_exist(one_rank(failure.number), input.ranks);
      return {input.placement[static_cast<std::size_t>(failure.number)]};
    case FailureKind::device:
      return {find_named_device(input.topology, failure.device)};
    case FailureKind::node:
      break;
  }
  std::vector<DeviceId> devices;
  const auto all = input.topology.devices();
  int last_node = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    last_node = std::max(last_node, all[i].node);
    if (all[i].node == failure.number) devices.push_back(static_cast<DeviceId>(i));
  }
  if (devices.empty()) {
    throw usage_error("there is no node {}: this topology has {} node{}", failure.number,
                      last_node + 1, last_node == 0 ? "" : "s");
  }
  return devices;
}

/// Takes out what is in `dead` and puts the rest there.
template <class T>
void keep_new(std::vector<T>& found, std::vector<T>& dead) {
  std::erase_if(found, [&dead](T one) { return std::ranges::find(dead, one) != dead.end(); });
  dead.insert(dead.end(), found.begin(), found.end());
}

std::vector<LinkId> links_of(const Topology& topology, const std::vector<DeviceId>& devices) {
  std::vector<LinkId> links;
  for (const DeviceId device : devices) {
    const auto more = links_at(topology, device);
    links.insert(links.end(), more.begin(), more.end());
  }
  std::ranges::sort(links);
  const auto repeated = std::ranges::unique(links);
  links.erase(repeated.begin(), repeated.end());
  return links;
}

/// Throws if the answer to the failures is impossible; finds the spare places.
void apply_policy(const ResolveInput& input, const std::vector<DeviceId>& dead_devices,
                  const std::vector<int>& dead, ResolvedScenario& resolved) {
  const FailurePolicy& policy = input.scenario.failure_policy;
  const auto dead_ranks =
      std::ranges::count_if(dead, [&input](int participant) { return participant < input.ranks; });
  if (policy.response == FailureResponse::shrink && dead_ranks == input.ranks) {
    throw Error(ErrorCode::usage, "every rank fails: there is no survivor to shrink to",
                policy.origin.place);
  }
  if (policy.response != FailureResponse::spare) return;
  for (const DeviceId place : input.topology.endpoints()) {
    const bool used = std::ranges::find(input.placement, place) != input.placement.end();
    const bool fails = std::ranges::find(dead_devices, place) != dead_devices.end();
    if (!used && !fails) resolved.spares.push_back(place);
  }
  if (dead.size() > resolved.spares.size()) {
    throw Error(ErrorCode::usage,
                fmt::format("{} participant{} failed, but the topology has {} spare place{} that "
                            "no rank uses and that stays up; use fewer ranks or a larger topology",
                            dead.size(), dead.size() == 1 ? "" : "s", resolved.spares.size(),
                            resolved.spares.size() == 1 ? "" : "s"),
                policy.origin.place);
  }
}

}  // namespace

void resolve_failures(const ResolveInput& input, ResolvedScenario& resolved) {
  for (const Failure& failure : input.scenario.failures) {
    resolved.failures.push_back(
        {failure.at_s,
         at_origin(failure.origin, [&] { return failing_devices(input, failure); }),
         {},
         {}});
  }
  std::ranges::stable_sort(resolved.failures, {}, &ResolvedFailure::at_s);
  std::vector<DeviceId> dead_devices;
  std::vector<int> dead;
  for (ResolvedFailure& failure : resolved.failures) {
    keep_new(failure.devices, dead_devices);
    for (std::size_t i = 0; i < input.placement.size(); ++i) {
      if (std::ranges::find(failure.devices, input.placement[i]) != failure.devices.end()) {
        failure.participants.push_back(static_cast<int>(i));
      }
    }
    keep_new(failure.participants, dead);
    failure.links = links_of(input.topology, failure.devices);
  }
  std::erase_if(resolved.failures,
                [](const ResolvedFailure& failure) { return failure.devices.empty(); });
  apply_policy(input, dead_devices, dead, resolved);
}

}  // namespace reducelab
