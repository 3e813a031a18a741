// What the simgrid engine promises about sharing, processes, seeds and failures.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "algorithms/registry.h"
#include "in_a_child.h"
#include "sim/simgrid/simgrid_network.h"
#include "topologies/toml_reader.h"

namespace reducelab {
namespace {

/// Notes when each flow ended.
struct EndTimes final : NetworkEvents {
  std::vector<double> end_s = std::vector<double>(2, -1);
  const Network* network = nullptr;
  std::function<void()> start;
  void timer_fired(std::uint64_t) override { start(); }
  void flow_finished(std::uint64_t token) override { end_s[token] = network->now(); }
};

/// a and b each send 1 MB to c over one 1 GB/s link; a is 1 us away, b 10 us.
std::vector<double> end_of_two_flows() {
  Job job;
  job.topology = read_topology_toml(R"(
name = "bottleneck"
device = [ { name = "a", kind = "host" }, { name = "b", kind = "host" },
           { name = "c", kind = "host" }, { name = "s", kind = "switch" } ]
link = [ { between = ["a", "s"], bandwidth = "100GBps", latency = "0.5us", kind = "network" },
         { between = ["b", "s"], bandwidth = "100GBps", latency = "9.5us", kind = "network" },
         { between = ["s", "c"], bandwidth = "1GBps", latency = "0.5us", kind = "network" } ]
)",
                                    "bottleneck.toml");
  job.placement = {0, 1, 2};
  job.world.ranks = 3;
  EndTimes events;
  const auto network = make_simgrid_network(job, events);
  events.network = network.get();
  Router router(job.topology);
  constexpr double kNoCap = std::numeric_limits<double>::infinity();
  events.start = [&] {
    network->start_flow(network->open_path(0, 2, router.route(0, 2), kNoCap), 1e6, 0);
    network->start_flow(network->open_path(1, 2, router.route(1, 2), kNoCap), 1e6, 1);
  };
  network->at(0, 0);
  network->run();
  return events.end_s;
}

TEST(Simgrid, two_flows_of_unequal_latency_share_a_bottleneck_in_equal_parts) {
  // In a process of its own; the two times come back as those of a result.
  const auto both_flows = [](const RunSpec&) {
    const std::vector<double> end_s = end_of_two_flows();
    RunResult result;
    result.time_s = end_s[0];
    result.wall_s = end_s[1];
    return result;
  };
  const Outcome outcome = run_in_worker({}, both_flows);
  ASSERT_TRUE(std::holds_alternative<RunResult>(outcome)) << std::get<Error>(outcome).what();
  EXPECT_NEAR(std::get<RunResult>(outcome).time_s, 2e-3, 1e-12);
  EXPECT_NEAR(std::get<RunResult>(outcome).wall_s, 2e-3, 1e-12);
}

TEST(Simgrid, a_second_simulation_in_one_process_is_refused) {
  RunSpec spec;
  spec.topology = one_switch(2);
  const auto twice = [](const RunSpec& job) {
    simulate(job);
    return simulate(job);
  };
  const Outcome outcome = run_in_worker(spec, twice);
  const Error* error = std::get_if<Error>(&outcome);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code(), ErrorCode::bug);
  EXPECT_NE(error->message().find("second SimGrid simulation"), std::string::npos);
}

TEST(Simgrid, the_same_seed_gives_the_same_bits_every_time) {
  RunSpec spec;
  spec.topology = "dgx-h100:nodes=2";
  spec.profile = "nccl";
  spec.bytes = 300'004;
  spec.type = DataType::bfloat16;
  RunResult first = in_a_child(spec);
  RunResult second = in_a_child(spec);
  for (RunResult* result : {&first, &second}) result->wall_s = result->reduce_wall_s = 0;
  EXPECT_EQ(to_json(first), to_json(second));
  spec.seed = 2;
  EXPECT_EQ(in_a_child(spec).time_s, first.time_s);
  EXPECT_NE(in_a_child(spec).max_rel_error, first.max_rel_error);
}

TEST(Simgrid, a_protocols_rank_cap_bounds_its_rate) {
  RunSpec spec;
  spec.topology = "hgx-h100-8";
  spec.ranks = 2;
  spec.profile = "nccl";
  spec.protocol = "LL";
  spec.algorithm = "ring";
  spec.params = {{"channels", "16"}, {"slice_bytes", "0"}};
  spec.bytes = 64 << 20;
  spec.data = DataMode::none;
  // Each rank sends its vector once, at 141 GB/s of payload at most.
  EXPECT_GE(in_a_child(spec).time_s, (64 << 20) / 141e9);
  EXPECT_LE(in_a_child(spec).time_s, (64 << 20) / 141e9 * 1.05);
}

TEST(Simgrid, the_split_of_an_explanation_adds_up_to_the_time) {
  for (const Algorithm& algorithm : all_algorithms()) {
    for (const char* profile : {"ideal", "mpi-tcp", "nccl"}) {
      RunSpec spec;
      spec.algorithm = algorithm.name;
      spec.topology = "dgx-h100:nodes=2";
      spec.ranks = 12;
      spec.profile = profile;
      spec.explain = true;
      spec.scenario = "slow_rank = [{ ranks = 3, factor = 2 }]";
      spec.bytes = 100'000;
      const RunResult result = in_a_child(spec);
      ASSERT_TRUE(result.explanation.has_value());
      EXPECT_NEAR(result.explanation->split.total_s(), result.time_s, 1e-9 * result.time_s)
          << algorithm.name << " on " << profile;
    }
  }
}

TEST(Simgrid, a_slow_rank_makes_its_overheads_and_the_run_slower) {
  RunSpec spec;
  spec.topology = one_switch(8);
  spec.profile = "mpi-tcp";
  spec.data = DataMode::none;
  const double healthy_s = in_a_child(spec).time_s;
  spec.scenario = "slow_rank = [{ ranks = 5, factor = 3 }]";
  spec.explain = true;
  const RunResult slow = in_a_child(spec);
  EXPECT_GT(slow.time_s, healthy_s);
  EXPECT_GT(slow.explanation->split.slow_rank_s, 0);
}

}  // namespace
}  // namespace reducelab
