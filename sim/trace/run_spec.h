#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/data_type.h"

namespace reducelab {

/// How much real data a run moves and checks.
enum class DataMode : std::uint8_t { automatic, full, sampled, none };

/// Whether one rank may stand for all where they are alike.
enum class Symmetry : std::uint8_t { automatic, off };

/// A run as a person asks for it, by names; the same text travels to workers and into result files.
struct RunSpec {
  std::string topology = "dgx-h100:nodes=4";
  int ranks = 0;  ///< 0: every place of the topology
  std::string placement = "block";
  std::string collective = "allreduce";
  std::string algorithm = "ring";
  std::map<std::string, std::string> params;  ///< the algorithm's own
  std::int64_t bytes = 1 << 20;
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;
  std::string engine = "auto";
  std::string profile = "ideal";
  std::string protocol;  ///< of the profile; empty: the fastest for the size
  DataMode data = DataMode::automatic;
  std::string reducer = "cpu";
  std::string scenario;  ///< how the cluster misbehaves, as TOML (sim/scenario); empty: it does not
  Symmetry symmetry = Symmetry::automatic;
  std::uint64_t seed = 1;
  bool explain = false;
  std::string trace_file;  ///< Chrome trace JSON; empty: none
};

std::string_view name_of(DataMode mode);
DataMode parse_data_mode(std::string_view text);
/// `auto` or `off`.
std::string_view name_of(Symmetry symmetry);
Symmetry parse_symmetry(std::string_view text);

/// One JSON object, and its inverse (unknown keys are errors).
std::string to_json(const RunSpec& spec);
RunSpec run_spec_from_json(const std::string& text);

}  // namespace reducelab
