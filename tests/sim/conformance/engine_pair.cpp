#include "engine_pair.h"

#include "core/error.h"
#include "shrink.h"
#include "sim/flow/flow_network.h"
#include "sim/simgrid/simgrid_network.h"

namespace reducelab {

std::optional<std::string> EnginePair::difference_on(const Case& source) const {
  Job job;
  try {
    job = case_job(source);
  } catch (const Error&) {
    return std::nullopt;
  }
  const ProgramMaker programs = case_programs(source, job);
  const Observed expected = reference_in_child ? observe_in_child(job, programs, reference)
                                               : observe(job, programs, reference);
  return difference(expected, observe(job, programs, other));
}

std::string EnginePair::explain(const Case& failing) const {
  const Case smallest =
      shrink(failing, [this](const Case& smaller) { return difference_on(smaller).has_value(); });
  return describe(smallest) + "difference: " + difference_on(smallest).value_or("none");
}

EnginePair simgrid_and_flow() {
  return {make_simgrid_network, make_flow_network, true};
}

}  // namespace reducelab
