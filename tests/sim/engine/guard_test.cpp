// Times that no network can reach are refused, with the figures.
#include "sim/guard.h"

#include <gmock/gmock.h>

#include "in_a_child.h"
#include "sim/simgrid/simgrid_network.h"

namespace reducelab {
namespace {

/// Takes no events; nothing is started.
struct NoEvents final : NetworkEvents {
  void timer_fired(std::uint64_t) override {}
  void flow_finished(std::uint64_t) override {}
};

/// Holds `time_s` for 1 MiB among 4 ranks with 100 Gb/s ports against the floors, in a child.
Outcome guarded(double time_s) {
  const auto claim = [time_s](const RunSpec& spec) {
    const Job job = make_job(spec);
    NoEvents events;
    const auto network = make_simgrid_network(job, events);
    Router router(job.topology);
    TimedFabric fabric(job, router, *network);
    const Execution execution(job.world, {}, fabric);
    RunResult result;
    result.spec = job.spec;
    result.time_s = time_s;
    require_possible(job, execution, fabric, time_s, result);
    return result;
  };
  RunSpec spec;
  spec.topology = one_switch(4);
  spec.bytes = 1 << 20;
  return run_in_worker(spec, claim);
}

TEST(Guard, refuses_a_vector_that_left_its_port_faster_than_the_wire) {
  const double wire_s = (1 << 20) / 12.5e9;
  const Outcome outcome = guarded(0.9 * wire_s);
  const Error* error = std::get_if<Error>(&outcome);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code(), ErrorCode::failed);
  EXPECT_THAT(error->message(), testing::HasSubstr("impossible result refused: 1MiB in 75.4975us"));
  EXPECT_THAT(error->message(), testing::HasSubstr("takes at least 83.8861us"));
}

TEST(Guard, lets_a_possible_time_pass) {
  EXPECT_TRUE(std::holds_alternative<RunResult>(guarded((1 << 20) / 12.5e9)));
}

}  // namespace
}  // namespace reducelab
