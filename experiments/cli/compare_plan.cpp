#include "experiments/cli/compare_plan.h"

#include <algorithm>

#include "algorithms/registry.h"
#include "core/text.h"
#include "experiments/cli/run_options.h"
#include "sim/job.h"

namespace reducelab {
namespace {

std::vector<const Algorithm*> chosen(const std::string& names) {
  std::vector<const Algorithm*> algorithms;
  if (names == "all") {
    for (const Algorithm& algorithm : all_algorithms()) algorithms.push_back(&algorithm);
    return algorithms;
  }
  for (const std::string_view name : split(names, ',')) {
    const Algorithm* algorithm = &find_algorithm(trim(name));
    if (std::ranges::find(algorithms, algorithm) == algorithms.end()) {
      algorithms.push_back(algorithm);
    }
  }
  if (algorithms.empty()) throw usage_error("--algorithms: the list is empty");
  return algorithms;
}

}  // namespace

ComparePlan make_compare_plan(const std::string& names, const std::vector<std::int64_t>& sizes,
                              const RunSpec& common,
                              const std::map<std::string, std::string>& params) {
  ComparePlan plan;
  plan.sizes = sizes;
  const std::vector<const Algorithm*> algorithms = chosen(names);
  require_taken(params, algorithms);
  std::vector<RunSpec> specs;
  std::optional<Error> refusal;
  for (const Algorithm* algorithm : algorithms) {
    RunSpec spec = common;
    spec.algorithm = algorithm->name;
    spec.params = params_of(*algorithm, params);
    spec.bytes = sizes.front();
    try {
      plan.ranks = make_job(spec).world.ranks;
    } catch (const Error& error) {
      if (names != "all" || error.code() != ErrorCode::usage) throw;
      if (!refusal) refusal = error;
      plan.skipped.push_back({spec.algorithm, -1, error.what()});
      continue;
    }
    plan.algorithms.push_back(spec.algorithm);
    specs.push_back(std::move(spec));
  }
  // What no algorithm can do is a mistake in what they share.
  if (specs.empty() && refusal) throw *refusal;
  for (const std::int64_t bytes : sizes) {
    for (RunSpec& spec : specs) {
      spec.bytes = bytes;
      plan.jobs.push_back(spec);
    }
  }
  return plan;
}

std::vector<const RunResult*> best_results(const ComparePlan& plan,
                                           const std::vector<ComparedPoint>& points) {
  std::vector<const RunResult*> best;
  for (std::size_t s = 0; s < plan.sizes.size(); ++s) {
    const RunResult* fastest = nullptr;
    for (std::size_t a = 0; a < plan.algorithms.size(); ++a) {
      const auto& result = points.at(s * plan.algorithms.size() + a).result;
      if (result && (fastest == nullptr || result->time_s < fastest->time_s)) fastest = &*result;
    }
    if (fastest != nullptr) best.push_back(fastest);
  }
  return best;
}

}  // namespace reducelab
