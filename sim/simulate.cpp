#include "sim/simulate.h"

#include <chrono>
#include <functional>
#include <numeric>

#include "core/files.h"
#include "core/text.h"
#include "sim/analytic/closed_form.h"
#include "sim/data_plane/data_plane.h"
#include "sim/flow/flow_network.h"
#include "sim/guard.h"
#include "sim/simgrid/simgrid_network.h"
#include "sim/trace/chrome_trace.h"
#include "sim/trace/explain.h"
#include "sim/transport/timed_fabric.h"
#include "sim/transport/trace_recorder.h"

namespace reducelab {
namespace {

/// Hands a network's events on to a fabric that is built after it.
class EventRelay final : public NetworkEvents {
 public:
  void attach(TimedFabric& fabric) { fabric_ = &fabric; }
  /// What happens at the time of a token of its own, the start of the run.
  static constexpr std::uint64_t kStart = ~std::uint64_t{0};
  std::function<void()> start;

  void timer_fired(std::uint64_t token) override {
    if (token == kStart) return start();
    fabric_->timer_fired(token);
  }
  void flow_finished(std::uint64_t token) override { fabric_->flow_finished(token); }
  void come_soon(std::span<const std::uint64_t> tokens) override { fabric_->come_soon(tokens); }

 private:
  TimedFabric* fabric_ = nullptr;
};

RunResult empty_result(const Job& job) {
  RunResult result;
  result.spec = job.spec;
  result.ranks = job.world.ranks;
  const Params& params = job.world.params;
  if (params.has("channels")) result.channels = static_cast<int>(params.integer("channels"));
  if (params.has("slice_bytes")) result.slice_bytes = params.bytes("slice_bytes");
  if (const auto form = closed_form(job)) {
    result.closed_form_s = form->time_s;
    result.closed_form_exact = form->exact;
  }
  result.data = name_of(DataMode::none);
  return result;
}

RunResult run_analytic(const Job& job) {
  RunResult result = empty_result(job);
  if (!result.closed_form_s) {
    throw usage_error("algorithm \"{}\" has no closed form; use --engine simgrid",
                      job.algorithm->name);
  }
  if (job.spec.data == DataMode::full || job.spec.data == DataMode::sampled) {
    throw usage_error("the analytic engine moves no data; use --data none or --engine simgrid");
  }
  result.time_s = *result.closed_form_s;
  result.network_model = result.closed_form_exact ? "closed form" : "closed form (estimate)";
  return result;
}

RunResult run_programs(const Job& job) {
  RunResult result = empty_result(job);
  EventRelay relay;
  const bool on_simgrid = job.spec.engine == "simgrid";
  const std::unique_ptr<Network> network =
      on_simgrid ? make_simgrid_network(job, relay) : make_flow_network(job, relay);
  result.network_model = on_simgrid ? simgrid_model_name() : flow_model_name();
  Router router(job.topology);
  TimedFabric fabric(job, router, *network);
  relay.attach(fabric);
  Execution execution(
      job.world, {.window = job.profile.window, .eager_bytes = job.profile.eager_bytes}, fabric);
  fabric.attach(execution);
  const DataMode mode =
      job.spec.data == DataMode::automatic ? choose_data_mode(job) : job.spec.data;
  const std::unique_ptr<DataPlane> data = make_data_plane(job, mode);
  if (ExecutionObserver* participants = network->participants()) execution.observe(*participants);
  if (data) execution.observe(*data);
  std::optional<TraceRecorder> recorder;
  if (job.spec.explain || !job.spec.trace_file.empty()) {
    execution.observe(recorder.emplace(job, execution, fabric, *network));
  }

  relay.start = [&] {
    for (int id = 0; id < static_cast<int>(job.placement.size()); ++id) {
      execution.start(id,
                      make_program(*job.algorithm, job.world, id, execution.scratch_counter(id)));
    }
  };
  network->at(job.protocol.floor_s, EventRelay::kStart);
  network->run();
  execution.require_complete();

  result.time_s = std::max(fabric.end_s(), job.protocol.floor_s);
  result.messages = execution.messages();
  result.steps = execution.steps();
  const auto& sent = execution.bytes_sent();
  result.bytes_sent = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
  require_possible(job, execution, fabric, result);
  if (recorder) {
    const Trace trace = recorder->take();
    if (job.spec.explain) result.explanation = explain(trace);
    if (!job.spec.trace_file.empty()) {
      write_file_atomically(job.spec.trace_file, chrome_trace(trace));
    }
  }
  if (data) {
    data->check(result);
    if (result.verified == false) {
      throw run_error(
          "{} gives a wrong result: {} of {} checked elements per rank are off, at "
          "most by {:.3g}",
          job.spec.algorithm, result.wrong, result.checked_elements, result.max_abs_error);
    }
    if (job.algorithm->identical_ranks && !result.ranks_identical) {
      throw run_error("{} promises the same bits on every rank, but they differ",
                      job.spec.algorithm);
    }
  }
  return result;
}

}  // namespace

RunResult simulate(const RunSpec& spec) {
  const auto begin = std::chrono::steady_clock::now();
  Job job = make_job(spec);
  if (spec.engine == "auto") job.spec.engine = "simgrid";
  RunResult result;
  if (job.spec.engine == "analytic") {
    result = run_analytic(job);
  } else if (job.spec.engine == "simgrid" || job.spec.engine == "flow") {
    result = run_programs(job);
  } else {
    throw unknown_name("engine", job.spec.engine, {"simgrid", "flow", "analytic", "auto"});
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace reducelab
