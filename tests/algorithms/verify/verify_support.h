#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "algorithms/verify/verify.h"

namespace reducelab {

inline World world_of(int ranks, std::int64_t count) {
  World world;
  world.ranks = ranks;
  world.count = count;
  return world;
}

/// The messages of all findings with `id`, a line each.
inline std::string messages_of(const VerifyReport& report, std::string_view id) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (finding.id == id) text += finding.message + "\n";
  }
  return text;
}

/// A ring: reduce-scatter, after which rank r owns block r + 1, then all-gather.
inline Program plain_ring(Rank self) {
  const Blocks block = self.blocks(self.size());
  for (int step = 0; step < self.size() - 1; ++step) {
    co_yield send(self.next(), block[self.id() - step]);
    co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
  }
  for (int step = 0; step < self.size() - 1; ++step) {
    co_yield send(self.next(), block[self.id() + 1 - step]);
    co_yield recv(self.prev(), block[self.id() - step]);
  }
}

}  // namespace reducelab
