#pragma once

#include <functional>
#include <numeric>
#include <vector>

#include "algorithms/execution/logical_fabric.h"
#include "sim/data_plane/data_plane.h"

namespace reducelab {

using ProgramOf = std::function<Program(Rank)>;

/// A job that has what the data plane looks at.
inline Job plane_job(int ranks, std::int64_t count, DataType type, ReduceOp op, int extras = 0) {
  Job job;
  job.world.ranks = ranks;
  job.world.extras = extras;
  job.world.count = count;
  job.world.element_bytes = size_of(type);
  job.spec.ranks = ranks;
  job.spec.bytes = count * size_of(type);
  job.spec.type = type;
  job.spec.op = op;
  job.spec.seed = 7;
  return job;
}

struct PlaneRun {
  RunResult result;
  std::vector<VectorValues> values;  ///< by participant, after the check
};

/// Runs a program on every participant, with real data, in a world without time.
inline PlaneRun run_plane(const Job& job, DataMode mode, const ProgramOf& program) {
  LogicalFabric fabric;
  Execution execution(job.world, {}, fabric);
  fabric.attach(execution);
  const std::unique_ptr<DataPlane> plane = make_data_plane(job, mode);
  execution.observe(*plane);
  const int participants = job.world.ranks + job.world.extras;
  for (int id = 0; id < participants; ++id) {
    execution.start(id, program(Rank(job.world, id, execution.scratch_counter(id))));
  }
  fabric.run();
  execution.require_complete();
  PlaneRun run;
  plane->check(run.result);
  for (int id = 0; id < participants; ++id) run.values.push_back(plane->values(id));
  return run;
}

/// Reduce-scatter and all-gather around a ring: block b is summed in the order b, b+1, ...
inline Program ring(Rank self) {
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

/// Everyone sends everything to everyone and sums in the order 0, 1, ...
inline Program direct(Rank self) {
  const Range all = self.vector();
  std::vector<Range> of(static_cast<std::size_t>(self.size()), all);
  for (int rank = 0; rank < self.size(); ++rank) {
    if (rank == self.id()) continue;
    // Scratch of any size, used from any element on.
    of[static_cast<std::size_t>(rank)] = self.scratch(all.count + 3).part(3, all.count);
    co_yield send(rank, all);
    co_yield recv(rank, of[static_cast<std::size_t>(rank)]);
  }
  const Range total = self.scratch(all.count);
  co_yield copy(total, of[0]);
  for (int rank = 1; rank < self.size(); ++rank) {
    co_yield reduce(total, of[static_cast<std::size_t>(rank)]);
  }
  co_yield copy(all, total);
}

/// A server (extra participant 0) sums in the order 0, 1, ... and sends the result back.
inline Program through_server(Rank self) {
  if (self.id() < self.size()) {
    co_yield send(self.extra(0), self.vector());
    co_yield recv(self.extra(0), self.vector());
  } else {
    for (int rank = 0; rank < self.size(); ++rank) co_yield recv_reduce(rank, self.vector());
    for (int rank = 0; rank < self.size(); ++rank) co_yield send(rank, self.vector());
  }
}

/// A chain 0 -> 1 -> ... that sums in slices through one reused scratch buffer, then back.
inline Program chain(Rank self) {
  const Range scratch = self.scratch(300);
  const bool last = self.id() == self.size() - 1;
  for (const Range slice : Slices(self.vector(), 300)) {
    if (self.id() > 0) {
      const Range part = scratch.part(0, slice.count);
      co_yield recv(self.prev(), part);
      co_yield reduce(slice, part);
    }
    if (!last) co_yield send(self.next(), slice);
  }
  for (const Range slice : Slices(self.vector(), 300)) {
    if (!last) co_yield recv(self.next(), slice);
    if (self.id() > 0) co_yield send(self.prev(), slice);
  }
}

}  // namespace reducelab
