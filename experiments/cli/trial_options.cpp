#include "experiments/cli/trial_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/worker/wall_limit.h"

namespace reducelab {

void declare_trial_options(CLI::App& app, TrialOptions& options) {
  app.add_option(
         "--trials", options.trials,
         "simulate with N seeds: --seed, that plus 1, plus 2, ...; gives mean, p50, p95 and "
         "p99 with 95 % intervals. Data is moved in the first only, unless --data says more")
      ->type_name("N");
  app.add_option("-j,--jobs", options.jobs, "processes at a time [all cores]")->type_name("N");
  declare_wall_limit(app, options.wall_limit);
}

void declare_wall_limit(CLI::App& app, std::string& wall_limit) {
  app.add_option("--wall-limit", wall_limit, "real time after which a simulation is stopped [1h]")
      ->type_name("DURATION");
}

std::optional<std::uint64_t> parse_trials(const TrialOptions& options) {
  if (options.trials.empty()) return std::nullopt;
  constexpr std::int64_t kMostTrials = 1'000'000;
  return parse_flag("--trials", options.trials, [](std::string_view number) {
    return static_cast<std::uint64_t>(parse_whole(number, 1, kMostTrials));
  });
}

int parse_jobs(const TrialOptions& options) {
  if (options.jobs.empty()) {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
  constexpr std::int64_t kMostJobs = 4096;
  return parse_flag("-j", options.jobs, [](std::string_view number) {
    return static_cast<int>(parse_whole(number, 1, kMostJobs));
  });
}

double parse_wall_limit(const std::string& wall_limit) {
  if (wall_limit.empty()) return kDefaultWallLimit_s;
  return parse_flag("--wall-limit", wall_limit, [](std::string_view text) {
    const double limit_s = parse_duration(text);
    if (limit_s <= 0)
      throw usage_error("{} leaves no time for a simulation; give e.g. 10min", text);
    return limit_s;
  });
}

}  // namespace reducelab
