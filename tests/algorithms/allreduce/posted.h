#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "algorithms/registry.h"

namespace reducelab {

/// Sender, receiver, channel.
using ConnectionName = std::tuple<int, int, std::uint64_t>;

/// What one participant's programs post when pulled without running anything.
struct PostedMessages {
  std::map<ConnectionName, std::vector<Range>> sends;
  std::map<ConnectionName, std::vector<Range>> receives;
};

inline void pull_all(Program& program, int id, PostedMessages& posted) {
  while (program.next()) {
    const Operation& operation = program.operation();
    if (operation.kind == OpKind::spawn) {
      Program spawned = program.take_spawned();
      pull_all(spawned, id, posted);
    } else if (operation.range.empty()) {
      continue;
    } else if (operation.kind == OpKind::send) {
      posted.sends[{id, operation.peer, operation.channel}].push_back(operation.range);
    } else if (operation.kind == OpKind::recv || operation.kind == OpKind::recv_reduce) {
      posted.receives[{operation.peer, id, operation.channel}].push_back(operation.range);
    }
  }
}

/// The messages of all participants of a prepared world.
inline PostedMessages posted_by_all(const Algorithm& algorithm, const World& world) {
  PostedMessages posted;
  for (int id = 0; id < world.ranks + world.extras; ++id) {
    ScratchSizes scratch;
    Program program = make_program(algorithm, world, id, &scratch);
    pull_all(program, id, posted);
  }
  return posted;
}

}  // namespace reducelab
