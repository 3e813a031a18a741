#pragma once

#include <cstdint>
#include <span>

#include "core/error.h"
#include "sim/scenario/resolved.h"

namespace reducelab {

/// What every part of `resolve` looks at.
struct ResolveInput {
  const Scenario& scenario;
  const Topology& topology;
  std::span<const DeviceId> placement;
  int ranks;
  std::uint64_t seed;
};

void resolve_ranks(const ResolveInput& input, ResolvedScenario& resolved);
void resolve_links(const ResolveInput& input, ResolvedScenario& resolved);
void resolve_failures(const ResolveInput& input, ResolvedScenario& resolved);
void resolve_traffic(const ResolveInput& input, ResolvedScenario& resolved);

/// Does `action`; an Error of it that has no place of its own gets that of the disturbance.
template <class Action>
auto at_origin(const Origin& origin, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    Error placed(error.code(), error.message(), origin.place);
    for (const std::string& note : error.notes()) placed.note(note);
    throw placed;
  }
}

}  // namespace reducelab
