#pragma once

#include <memory>
#include <string>

#include "sim/job.h"
#include "sim/transport/network.h"

namespace reducelab {

/// Our own network: an event queue over exact max-min fair sharing. `events` must outlive it.
std::unique_ptr<Network> make_flow_network(const Job& job, NetworkEvents& events);

/// How results name it.
std::string flow_model_name();

}  // namespace reducelab
