#pragma once

#include <string>

#include "experiments/cli/simulated_point.h"

namespace CLI {
class App;
}

namespace reducelab {

/// The flags of `run` and `compare` about seeds and processes, as typed; empty: not given.
struct TrialOptions {
  std::string trials;
  std::string jobs;
  std::string wall_limit;
};

void declare_trial_options(CLI::App& app, TrialOptions& options);
/// `--wall-limit` alone.
void declare_wall_limit(CLI::App& app, std::string& wall_limit);

std::optional<std::uint64_t> parse_trials(const TrialOptions& options);
/// Processes at a time.
int parse_jobs(const TrialOptions& options);
/// Seconds; refuses 0.
double parse_wall_limit(const std::string& wall_limit);

}  // namespace reducelab
