#pragma once

#include <memory>
#include <string>

#include "sim/job.h"
#include "sim/transport/network.h"

namespace reducelab {

/// SimGrid as the Network: one host and one S4U actor per participant, our links and our routes,
/// its CM02 flow model sharing every link in equal parts. Only one may ever exist in a process (a
/// second SimGrid engine would silently keep the first one's clock); a second is refused.
/// `job` and `events` must outlive it.
std::unique_ptr<Network> make_simgrid_network(const Job& job, NetworkEvents& events);

/// `simgrid 3.32 CM02, equal sharing`.
std::string simgrid_model_name();

}  // namespace reducelab
