#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "sim/trace/run_spec.h"

namespace CLI {
class App;
}

namespace reducelab {

/// The flags that `run` and `compare` share, as typed; empty: not given.
struct JobOptions {
  std::string topology;
  std::string ranks;
  std::string placement;
  std::string collective;
  std::vector<std::string> params;
  std::string channels;
  std::string slice;
  std::string dtype;
  std::string op;
  std::string engine;
  std::string profile;
  std::string protocol;
  std::string data;
  std::string reducer;
  std::string scenario;
  std::string symmetry;
  std::vector<std::string> slow_ranks;
  std::vector<std::string> slow_links;
  std::vector<std::string> failures;
  std::string on_failure;
  std::string failure_timeout;
  std::string seed;
};

/// How a command prints.
struct OutputOptions {
  bool json = false;
  bool csv = false;
  bool quiet = false;
};

void declare_job_options(CLI::App& app, JobOptions& options);
void declare_output_options(CLI::App& app, OutputOptions& options);

/// Everything but algorithm, parameters and size, on top of RunSpec's own defaults; a value that
/// cannot be understood is a usage Error that names its flag.
RunSpec parse_job_options(const JobOptions& options);

/// Values of `--param`, `--channels` and `--slice` by parameter name.
std::map<std::string, std::string> parse_params(const JobOptions& options);
/// Those of `given` that an algorithm takes, with the parameters of its inner algorithm if it has
/// one.
std::map<std::string, std::string> params_of(const Algorithm& algorithm,
                                             const std::map<std::string, std::string>& given);

/// Refuses a parameter that none of `algorithms` takes.
void require_taken(const std::map<std::string, std::string>& given,
                   const std::vector<const Algorithm*>& algorithms);

/// `name=value` pairs; a pair without `=` or a name given twice is a usage Error.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& pairs);
/// Refuses sizes beyond 2^62 bytes, whose sums would overflow.
std::int64_t require_size(std::int64_t bytes);

}  // namespace reducelab
