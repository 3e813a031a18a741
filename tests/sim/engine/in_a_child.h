#pragma once

#include "experiments/worker/worker_pool.h"
#include "sim/simulate.h"

namespace reducelab {

/// Simulates in a process of its own, as the product does; throws what the run threw.
inline RunResult in_a_child(const RunSpec& spec) {
  Outcome outcome = run_in_worker(spec, simulate);
  if (const Error* error = std::get_if<Error>(&outcome)) throw *error;
  return std::get<RunResult>(outcome);
}

/// `hosts` on one switch with 100 Gb/s ports and 2 us from end to end.
inline std::string one_switch(int hosts) {
  return "single-switch:hosts=" + std::to_string(hosts) + ",bandwidth=100Gbps,latency=2us";
}

}  // namespace reducelab
