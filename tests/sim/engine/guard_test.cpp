// Results that no network can give are refused, with the figures: one planted fault per floor.
#include "sim/guard.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

Job job_on(const std::string& topology) {
  RunSpec spec;
  spec.topology = topology;
  spec.bytes = 1 << 20;
  return make_job(spec);
}

/// 4 ranks with ports of 100 Gb/s.
Job on_one_switch() {
  return job_on("single-switch:hosts=4,bandwidth=100Gbps,latency=2us");
}

constexpr double kWire_s = (1 << 20) / 12.5e9;

std::string refusal(const Job& job, const RunFacts& facts) {
  try {
    require_possible(job, facts);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return error.message();
  }
  return "";
}

TEST(Guard, refuses_a_vector_that_left_its_port_faster_than_the_wire) {
  const std::string message = refusal(on_one_switch(), {.took_s = 0.9 * kWire_s});
  EXPECT_THAT(message, HasSubstr("impossible result refused: 1MiB in 75.4975us"));
  EXPECT_THAT(message, HasSubstr("ports takes at least 83.8861us"));
}

TEST(Guard, lets_a_possible_time_pass) {
  EXPECT_EQ(refusal(on_one_switch(), {.took_s = kWire_s}), "");
}

TEST(Guard, refuses_a_vector_that_left_its_node_faster_than_all_of_the_nodes_ports) {
  // 8 GPUs of 450 GB/s each in a node whose 8 NICs carry 1 GB/s together.
  const Job job = job_on("dgx-h100:nodes=2,network_bandwidth=1Gbps");
  const std::string message = refusal(job, {.took_s = 1e-3});
  EXPECT_THAT(message, HasSubstr("every node's vector"));
  EXPECT_EQ(refusal(job, {.took_s = (1 << 20) / 1e9}), "");
}

TEST(Guard, refuses_a_link_that_carried_more_than_it_can) {
  const Job job = on_one_switch();
  std::vector<double> link_bytes(job.topology.links().size(), 0);
  link_bytes[2] = 12.5e9;
  const std::string message = refusal(job, {.took_s = 0.99, .link_bytes = link_bytes});
  EXPECT_THAT(message, HasSubstr("the traffic of link " + job.topology.link(2).name));
  EXPECT_EQ(refusal(job, {.took_s = 1, .link_bytes = link_bytes}), "");
}

TEST(Guard, refuses_a_chain_of_messages_that_paid_no_latency) {
  const std::string message =
      refusal(on_one_switch(), {.took_s = 150e-6, .steps = 100, .least_latency_s = 2e-6});
  EXPECT_THAT(message, HasSubstr("a chain of 100 messages takes at least 200us"));
}

TEST(Guard, refuses_bytes_that_came_from_nowhere) {
  const std::vector<std::int64_t> sent{5, 5};
  const std::vector<std::int64_t> received{5, 6};
  EXPECT_THAT(
      refusal(on_one_switch(), {.took_s = 1, .bytes_sent = sent, .bytes_received = received}),
      HasSubstr("10 bytes were sent but 11 received"));
}

TEST(Guard, lets_a_link_that_a_scenario_made_faster_carry_more) {
  RunSpec spec;
  spec.topology = "single-switch:hosts=4,bandwidth=100Gbps,latency=2us";
  spec.bytes = 1 << 20;
  spec.scenario = "slow_link = [{ links = \"*\", bandwidth_factor = 2 }]";
  EXPECT_EQ(refusal(make_job(spec), {.took_s = 0.5 * kWire_s}), "");
}

}  // namespace
}  // namespace reducelab
