// What a program costs by itself: pulling an operation, checking its hazards, and a whole message
// through the Execution with a world that takes no time.
#include <benchmark/benchmark.h>

#include "algorithms/execution/logical_fabric.h"
#include "algorithms/registry.h"

namespace reducelab {
namespace {

World ring_world(int ranks, std::int64_t count) {
  World world;
  world.ranks = ranks;
  world.count = count;
  world.params = complete_params(find_algorithm("ring"));
  return world;
}

void pull(benchmark::State& state) {
  const World world = ring_world(1 << 28, 1 << 28);
  ScratchSizes scratch;
  Program program = make_program(find_algorithm("ring"), world, 0, &scratch);
  for (auto _ : state) {
    if (!program.next()) state.SkipWithError("the program ended");
    benchmark::DoNotOptimize(program.operation());
  }
}
BENCHMARK(pull);

/// `range(0)` operations are active, as many as two connections with a window of 8 keep.
void hazard_check(benchmark::State& state) {
  OpTable ops;
  Scoreboard scoreboard;
  std::vector<OpId> active;
  std::int64_t next = 0;
  const auto enter = [&] {
    const OpId id =
        ops.take(next % 2 ? send(1, {0, next * 64, 64}) : recv_reduce(2, {0, next * 64, 64}));
    ++next;
    scoreboard.enter(ops, id);
    return id;
  };
  for (int i = 0; i < state.range(0); ++i) active.push_back(enter());
  std::size_t oldest = 0;
  for (auto _ : state) {
    scoreboard.leave(ops[active[oldest]]);
    ops.release(active[oldest], [](OpId) {});
    ops.give_back(active[oldest]);
    active[oldest] = enter();
    oldest = (oldest + 1) % active.size();
  }
}
BENCHMARK(hazard_check)->Arg(4)->Arg(16)->Arg(64);

/// One send and one receive, matched, with hazards, windows and queues.
void message_without_time(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  const World world = ring_world(ranks, 1 << 20);
  std::uint64_t messages = 0;
  for (auto _ : state) {
    LogicalFabric fabric;
    Execution execution(world, {}, fabric);
    fabric.attach(execution);
    for (int id = 0; id < ranks; ++id) {
      execution.start(
          id, make_program(find_algorithm("ring"), world, id, execution.scratch_counter(id)));
    }
    fabric.run();
    execution.require_complete();
    messages += execution.messages();
  }
  state.counters["per_message"] = benchmark::Counter(
      static_cast<double>(messages), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(message_without_time)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reducelab
