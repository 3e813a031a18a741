// The engines against one another and against a bare S4U loop that sends the same messages, each in
// a process of its own (one SimGrid simulation per process), with wall time and peak memory as the
// kernel saw them.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <simgrid/s4u.hpp>
#include <string>

#include "sim/simulate.h"

namespace reducelab {
namespace {

namespace sg = simgrid::s4u;

/// A textbook ring on S4U: an actor per rank, mailboxes, one put and one get per step.
void bare_ring(int ranks, double bytes) {
  int count = 1;
  char name[] = "bare";
  char* arguments[] = {name, nullptr};
  sg::Engine engine(&count, arguments);
  sg::Engine::set_config("network/model:CM02");
  sg::Engine::set_config("network/crosstraffic:0");
  sg::Engine::set_config("network/TCP-gamma:0");
  sg::NetZone* zone = sg::create_full_zone("cluster");
  std::vector<sg::Host*> hosts;
  std::vector<sg::Link*> up;
  std::vector<sg::Link*> down;
  for (int i = 0; i < ranks; ++i) {
    hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9)->seal());
    up.push_back(zone->create_link("u" + std::to_string(i), 12.5e9)->set_latency(1e-6)->seal());
    down.push_back(zone->create_link("d" + std::to_string(i), 12.5e9)->set_latency(1e-6)->seal());
  }
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::size_t next = (i + 1) % hosts.size();
    zone->add_route(hosts[i]->get_netpoint(), hosts[next]->get_netpoint(), nullptr, nullptr,
                    {sg::LinkInRoute(up[i]), sg::LinkInRoute(down[next])}, false);
  }
  zone->seal();
  const auto block = static_cast<std::uint64_t>(bytes / ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    sg::Actor::create("rank", hosts[static_cast<std::size_t>(rank)], [ranks, rank, block] {
      static int payload = 0;
      sg::Mailbox* in = sg::Mailbox::by_name(std::to_string(rank));
      sg::Mailbox* out = sg::Mailbox::by_name(std::to_string((rank + 1) % ranks));
      for (int step = 0; step < 2 * (ranks - 1); ++step) {
        const sg::CommPtr sending = out->put_async(&payload, block);
        in->get<int>();
        sending->wait();
      }
    });
  }
  engine.run();
}

RunSpec spec_of(const std::string& engine, const std::string& algorithm,
                const std::string& topology, DataMode data = DataMode::none) {
  RunSpec spec;
  spec.engine = engine;
  spec.algorithm = algorithm;
  spec.topology = topology;
  spec.bytes = 1 << 20;
  spec.data = data;
  spec.symmetry = Symmetry::off;
  return spec;
}

std::string one_switch(int ranks) {
  return "single-switch:hosts=" + std::to_string(ranks) + ",bandwidth=100Gbps,latency=2us";
}

/// 128 hosts whose leaves have a third of their hosts' bandwidth upwards.
const char* const kOversubscribed =
    "leaf-spine:leaves=8,hosts=16,spines=4,bandwidth=100Gbps,oversubscription=3";

/// Times `work` in a child; the benchmark's time is the child's life from fork to exit.
template <class Work>
void in_a_process(benchmark::State& state, Work work) {
  double most_mb = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (status != 0) state.SkipWithError("the child failed");
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    most_mb = std::max(most_mb, static_cast<double>(usage.ru_maxrss) / 1024);
  }
  state.counters["peak_MB"] = most_mb;
}

void bare_s4u_ring(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  in_a_process(state, [ranks] { bare_ring(ranks, 1 << 20); });
}
void on_one_switch(benchmark::State& state, const char* engine, const char* algorithm,
                   DataMode data) {
  const RunSpec spec =
      spec_of(engine, algorithm, one_switch(static_cast<int>(state.range(0))), data);
  in_a_process(state, [&] { simulate(spec); });
}
void flow_ring_by_symmetry(benchmark::State& state) {
  RunSpec spec = spec_of("flow", "ring", one_switch(static_cast<int>(state.range(0))));
  spec.bytes = 256 << 20;
  spec.symmetry = Symmetry::automatic;
  in_a_process(state, [&] { simulate(spec); });
}
void direct_on_oversubscribed(benchmark::State& state, const char* engine) {
  const RunSpec spec = spec_of(engine, "two-shot", kOversubscribed);
  in_a_process(state, [&] { simulate(spec); });
}
/// In this process, for profilers.
void flow_ring_here(benchmark::State& state) {
  const RunSpec spec = spec_of("flow", "ring", one_switch(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(simulate(spec));
}

constexpr auto kMs = benchmark::kMillisecond;
constexpr DataMode kNoData = DataMode::none;
BENCHMARK(bare_s4u_ring)->Arg(64)->Arg(256)->Arg(1024)->UseManualTime()->Unit(kMs);
BENCHMARK_CAPTURE(on_one_switch, simgrid_ring, "simgrid", "ring", kNoData)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->UseManualTime()
    ->Unit(kMs);
BENCHMARK_CAPTURE(on_one_switch, simgrid_ring_with_all_data, "simgrid", "ring", DataMode::full)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(kMs);
BENCHMARK_CAPTURE(on_one_switch, flow_ring, "flow", "ring", kNoData)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->UseManualTime()
    ->Unit(kMs);
BENCHMARK(flow_ring_by_symmetry)->Arg(65536)->UseManualTime()->Unit(kMs);
BENCHMARK_CAPTURE(on_one_switch, flow_halving, "flow", "rabenseifner", kNoData)
    ->Arg(1024)
    ->UseManualTime()
    ->Unit(kMs);
BENCHMARK_CAPTURE(direct_on_oversubscribed, simgrid, "simgrid")->UseManualTime()->Unit(kMs);
BENCHMARK_CAPTURE(direct_on_oversubscribed, flow, "flow")->UseManualTime()->Unit(kMs);
BENCHMARK(flow_ring_here)->Arg(64)->Arg(256)->Unit(kMs);

}  // namespace
}  // namespace reducelab
