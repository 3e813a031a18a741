#include "algorithms/verify/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace reducelab {
namespace {

/// The participants of a cycle of waiting; without one, a chain that ends at somebody who has
/// finished.
std::vector<BlockedParticipant> waiting_cycle(const std::vector<BlockedParticipant>& blocked) {
  const auto find = [&](int participant) {
    return std::find_if(blocked.begin(), blocked.end(),
                        [&](const auto& one) { return one.participant == participant; });
  };
  std::vector<BlockedParticipant> path;
  for (auto at = blocked.begin(); at != blocked.end(); at = find(at->waits_for)) {
    const auto seen = std::find_if(path.begin(), path.end(), [&](const auto& one) {
      return one.participant == at->participant;
    });
    if (seen != path.end()) {
      path.erase(path.begin(), seen);
      break;
    }
    path.push_back(*at);
  }
  const auto least = std::min_element(path.begin(), path.end(), [](const auto& a, const auto& b) {
    return a.participant < b.participant;
  });
  if (!path.empty() && path.back().waits_for == path.front().participant) {
    std::rotate(path.begin(), least, path.end());
  }
  return path;
}

std::string cycle_text(const World& world, const std::vector<BlockedParticipant>& path) {
  constexpr std::size_t kShown = 8;
  std::string arrows;
  std::string reasons;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string name = participant_name(world, path[i].participant);
    if (path.size() > 4 * kShown && i == 2 * kShown) {
      arrows += "... -> ";
      i = path.size() - 2 * kShown;
      continue;
    }
    arrows += name + " -> ";
    if (i < kShown) {
      reasons += fmt::format("{}{} {}", i == 0 ? "" : "; ", name, path[i].reason);
    }
  }
  if (path.size() > kShown) reasons += "; ...";
  const int last = path.back().waits_for;
  arrows += last < 0 ? "its own strands" : participant_name(world, last);
  return fmt::format("{} ({})", arrows, reasons);
}

bool completes(const World& world, const ParticipantPrograms& programs,
               const ExecutionLimits& limits) {
  try {
    return TrialRun(world, limits).run(programs).empty();
  } catch (const Error&) {
    return false;  // under these limits it goes wrong in yet another way: no remedy
  }
}

/// The least value in (too_little, enough] that suffices.
template <class Suffices>
std::int64_t least_that_suffices(std::int64_t too_little, std::int64_t enough, Suffices suffices) {
  while (enough - too_little > 1) {
    const std::int64_t middle = too_little + (enough - too_little) / 2;
    (suffices(middle) ? enough : too_little) = middle;
  }
  return enough;
}

}  // namespace

std::vector<BlockedParticipant> TrialRun::run(const ParticipantPrograms& programs) {
  const World& world = execution_.world();
  for (int id = 0; id < world.ranks + world.extras; ++id) {
    execution_.start(id, programs(id, execution_.scratch_counter(id)));
  }
  fabric_.run();
  return execution_.blocked();
}

ExecutionLimits explain_deadlock(const World& world, const ParticipantPrograms& programs,
                                 const ExecutionLimits& limits, const std::set<std::int64_t>& sizes,
                                 const std::vector<BlockedParticipant>& blocked,
                                 FindingList& findings) {
  const std::vector<BlockedParticipant> path = waiting_cycle(blocked);
  const bool cycle = path.back().waits_for == path.front().participant;
  std::string text = fmt::format("deadlock under rendezvous: {}{}", cycle_text(world, path),
                                 cycle ? "" : ", which has finished");

  ExecutionLimits wide = limits;
  wide.window = std::numeric_limits<std::uint32_t>::max();
  if (completes(world, programs, wide)) {
    std::int64_t enough = limits.window;
    std::int64_t too_little = enough;
    do {
      too_little = enough;
      enough *= 2;
      wide.window = static_cast<std::uint32_t>(enough);
    } while (!completes(world, programs, wide));
    wide.window = static_cast<std::uint32_t>(
        least_that_suffices(too_little, enough, [&](std::int64_t window) {
          ExecutionLimits tried = limits;
          tried.window = static_cast<std::uint32_t>(window);
          return completes(world, programs, tried);
        }));
    findings.error("V6", path.front().participant,
                   fmt::format("{}; it needs a window of at least {} messages, not {}", text,
                               wide.window, limits.window));
    return wide;
  }
  findings.error("V6", path.front().participant, std::move(text));

  const std::vector<std::int64_t> candidates(sizes.begin(), sizes.end());
  const auto eager = [&](std::int64_t candidate) {
    ExecutionLimits tried = limits;
    tried.eager_bytes = candidates[static_cast<std::size_t>(candidate)] * world.element_bytes;
    return tried;
  };
  const auto largest = static_cast<std::int64_t>(candidates.size()) - 1;
  if (largest < 0 || !completes(world, programs, eager(largest))) return limits;
  const ExecutionLimits least = eager(least_that_suffices(
      -1, largest, [&](std::int64_t i) { return completes(world, programs, eager(i)); }));
  findings.error("V7", path.front().participant,
                 fmt::format("unsafe: depends on an eager threshold of at least {} bytes (without "
                             "it: {})",
                             least.eager_bytes, cycle_text(world, path)));
  return least;
}

}  // namespace reducelab
