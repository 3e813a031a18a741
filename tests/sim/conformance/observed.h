#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/program.h"
#include "sim/job.h"
#include "sim/transport/network.h"

namespace reducelab {

/// A message as a run started it.
struct StartedMessage {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::uint64_t channel = 0;
  std::int64_t bytes = 0;
  double start_s = 0;
};

/// All in which two engines must agree.
struct Observed {
  double time_s = 0;
  std::uint64_t messages = 0;
  std::int64_t bytes = 0;
  std::uint32_t steps = 0;
  std::vector<StartedMessage> started;  ///< in starting order
  std::string failure;                  ///< why there is nothing else; empty: it went well
};

using ProgramMaker = std::function<Program(int participant, ScratchSizes* scratch)>;
using NetworkMaker = std::function<std::unique_ptr<Network>(const Job&, NetworkEvents&)>;

/// Runs the programs of a job, under its scenario, on a network, in this process.
Observed observe(const Job& job, const ProgramMaker& make_program, const NetworkMaker& network);

/// The same in a child, since SimGrid runs only once in a process.
Observed observe_in_child(const Job& job, const ProgramMaker& make_program,
                          const NetworkMaker& network);

/// What the two runs do not agree in; nothing if they do. Times may differ by `tolerance` of
/// themselves; messages of one connection must start in one order, and those of different
/// connections too, unless they start at the same time.
std::optional<std::string> difference(const Observed& expected, const Observed& actual,
                                      double tolerance = 1e-6);

}  // namespace reducelab
