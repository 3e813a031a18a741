#include "sim/run/engine_choice.h"

#include "algorithms/execution/logical_fabric.h"

namespace reducelab {

std::string_view choose_engine(const Job& job) {
  LogicalFabric fabric;
  Execution execution(job.world, {.window = job.profile.window}, fabric);
  fabric.attach(execution);
  const auto too_many = [&] { return execution.messages() > kMostMessagesForSimgrid; };
  for (int id = 0; id < static_cast<int>(job.placement.size()) && !too_many(); ++id) {
    execution.start(id, make_program(*job.algorithm, job.world, id, execution.scratch_counter(id)));
  }
  fabric.run(too_many);
  return too_many() ? "flow" : "simgrid";
}

}  // namespace reducelab
