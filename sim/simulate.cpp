#include "sim/simulate.h"

#include <chrono>

#include "core/text.h"
#include "sim/analytic/closed_form.h"
#include "sim/run/cluster_run.h"
#include "sim/run/engine_choice.h"
#include "sim/symmetry/one_rank_run.h"

namespace reducelab {
namespace {

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
  if (!job.scenario.empty()) {
    throw usage_error("the analytic engine knows no scenarios; use --engine flow or simgrid");
  }
  result.time_s = *result.closed_form_s;
  result.network_model = result.closed_form_exact ? "closed form" : "closed form (estimate)";
  return result;
}

RunResult run_programs(const Job& job) {
  RunResult result = empty_result(job);
  run_on_cluster(job, result);
  return result;
}

RunResult run_on_engine(Job& job) {
  if (one_rank_may_do(job.spec)) {
    RunResult result = empty_result(job);
    if (run_one_rank(job, result)) return result;
  }
  std::string& engine = job.spec.engine;
  if (engine == "auto") engine = choose_engine(job);
  if (engine == "analytic") return run_analytic(job);
  if (engine == "simgrid" || engine == "flow") return run_programs(job);
  throw unknown_name("engine", engine, {"simgrid", "flow", "analytic", "auto"});
}

}  // namespace

RunResult simulate(const RunSpec& spec) {
  const auto begin = std::chrono::steady_clock::now();
  Job job = make_job(spec);
  RunResult result = run_on_engine(job);
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace reducelab
