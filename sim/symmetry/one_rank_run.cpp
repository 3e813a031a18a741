#include "sim/symmetry/one_rank_run.h"

#include <algorithm>

#include "sim/flow/flow_network.h"
#include "sim/guard.h"
#include "sim/symmetry/alike_ranks.h"
#include "sim/transport/timed_fabric.h"

namespace reducelab {
namespace {

/// Hands a network's events on to a fabric that is built after it, and starts rank 0.
class OneRankEvents final : public NetworkEvents {
 public:
  static constexpr std::uint64_t kStart = ~std::uint64_t{0};

  OneRankEvents(const Job& job) : job_(job) {}
  void attach(TimedFabric& fabric, Execution& execution) {
    fabric_ = &fabric;
    execution_ = &execution;
  }

  void timer_fired(std::uint64_t token) override {
    if (token != kStart) return fabric_->timer_fired(token);
    execution_->start(0,
                      make_program(*job_.algorithm, job_.world, 0, execution_->scratch_counter(0)));
  }
  void flow_finished(std::uint64_t token) override { fabric_->flow_finished(token); }
  void come_soon(std::span<const std::uint64_t> tokens) override { fabric_->come_soon(tokens); }

 private:
  const Job& job_;
  TimedFabric* fabric_ = nullptr;
  Execution* execution_ = nullptr;
};

}  // namespace

bool one_rank_may_do(const RunSpec& spec) {
  return spec.symmetry == Symmetry::automatic && spec.data == DataMode::none &&
         (spec.engine == "flow" || spec.engine == "auto") && !spec.explain &&
         spec.trace_file.empty() && spec.scenario.empty();
}

bool run_one_rank(const Job& job, RunResult& result) {
  const std::unique_ptr<AlikeRanks> alike = AlikeRanks::find(job);
  if (!alike) return false;
  OneRankEvents events(job);
  const std::unique_ptr<Network> network = make_flow_network(job, events);
  Router router(job.topology);
  TimedFabric fabric(job, router, *network);
  fabric.stand_for_all(*alike);
  Execution execution(job.world,
                      {.window = job.profile.window, .eager_bytes = job.profile.eager_bytes},
                      fabric, alike->group());
  fabric.attach(execution);
  events.attach(fabric, execution);
  network->at(job.protocol.floor_s, OneRankEvents::kStart);
  network->run();
  // A run of all ranks reports what is wrong better. Where a path has no latency, messages end and
  // begin at one instant, and whether one counts as a step after the other is a matter of numbers.
  if (!alike->hold() || !execution.done() || fabric.least_latency_s() <= 0) return false;

  RunResult one = result;
  const auto ranks = static_cast<std::uint64_t>(job.world.ranks);
  one.network_model = flow_model_name();
  one.spec.engine = "flow";
  one.time_s = std::max(fabric.end_s(), job.protocol.floor_s);
  one.steps = execution.steps();
  one.messages = execution.messages() * ranks;
  one.bytes_sent = execution.bytes_sent()[0] * job.world.ranks;
  one.ranks_simulated = 1;
  const std::vector<double> link_bytes = fabric.link_bytes();
  require_possible(job, {.took_s = one.time_s,
                         .bytes_sent = execution.bytes_sent(),
                         .bytes_received = execution.bytes_received(),
                         .steps = one.steps,
                         .least_latency_s = fabric.least_latency_s(),
                         .link_bytes = link_bytes});
  result = std::move(one);
  return true;
}

}  // namespace reducelab
