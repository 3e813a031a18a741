#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace reducelab {

/// One line for each disturbance, for the head of a report: `rank 3: own work takes 1.5 times as
/// long`.
std::vector<std::string> describe(const Scenario& scenario);

}  // namespace reducelab
