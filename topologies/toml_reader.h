#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/builders/builder.h"
#include "topologies/topology.h"

namespace reducelab {

/// Reads a topology file; every fault is a usage Error with file:line:col. Either a builder
///
///     name = "lab"                     # default: the file name
///     description = "Our cluster."
///     [builder]
///     kind = "single-switch"           # and its parameters
///     hosts = 16
///
/// or devices and links (then also routing, dims and hosts_forward may be set at the top)
///
///     [[device]]
///     name = "a"
///     kind = "host"                    # host, gpu, nic, switch
///     node = 0                         # chassis; left out: none
///     latency = "0s"                   # when a route passes through
///     [[link]]
///     between = ["a", "sw"]            # or one way: from = "a", to = "sw"
///     duplex = "full"                  # or "half"
///     bandwidth = "100Gbps"            # of each direction
///     latency = "1us"
///     kind = "network"                 # network, pcie, nvlink
///
/// and after either, changes to links by name or glob (names: `a->sw`, `sw->a`, half duplex
/// `a--sw`)
///
///     [[override]]
///     links = ["a->*", "*->a"]
///     bandwidth = "25Gbps"
Topology read_topology_toml(std::string_view text, const std::string& file_name);

/// The same with arguments that replace those of `[builder]`; without a builder they are refused.
Topology read_topology_toml(std::string_view text, const std::string& file_name,
                            std::span<const BuilderArgument> arguments);

/// What a list of topologies shows of a file.
struct TopologySummary {
  std::string name;
  std::string description;
  std::string builder;  ///< empty for a file of devices and links
  std::vector<BuilderArgument> arguments;
};

/// Reads only the head of a topology file: its texts and its `[builder]` table.
TopologySummary summarize_topology_toml(std::string_view text, const std::string& file_name);

}  // namespace reducelab
