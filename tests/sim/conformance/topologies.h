#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/job.h"

namespace reducelab {

/// A topology for every algorithm to run on: an argument of `--topology`, or the text of a file.
struct ConformanceTopology {
  std::string_view name;
  std::string_view argument_or_toml;
};

/// Twelve kinds of sharing, from none to links that most messages cross.
const std::vector<ConformanceTopology>& conformance_topologies();

/// Throws a usage Error if the algorithm refuses the topology.
Job conformance_job(const ConformanceTopology& topology, const Algorithm& algorithm,
                    std::string_view profile, std::int64_t bytes, std::string_view placement,
                    const std::map<std::string, std::string>& params);

}  // namespace reducelab
