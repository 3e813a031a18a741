#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/program.h"
#include "algorithms/relabelling.h"
#include "core/data_type.h"

namespace reducelab {

/// A parameter of an algorithm, settable with `--param name=value`.
struct ParamSpec {
  enum class Kind { integer, bytes, choice };
  std::string_view name;
  Kind kind;
  std::string_view default_value;
  std::string_view sentence;
  std::int64_t least = 0;                       ///< integer and bytes
  std::int64_t most = 1LL << 40;                ///< integer and bytes
  std::span<const std::string_view> choices{};  ///< choice
};

/// The machine of a closed form: one-ported, full duplex, contention-free.
struct CostModel {
  double alpha_s = 0;           ///< start-up time of a message (latency plus overheads)
  double beta_s_per_byte = 0;   ///< one port, one direction
  double gamma_s_per_byte = 0;  ///< reduction
};

/// The value of a closed form; `exact` says that a contention-free simulation must reproduce it.
struct ClosedForm {
  double time_s = 0;
  bool exact = false;
};

/// Participants beyond the ranks (parameter servers, aggregators): how many, and where they live.
struct Extras {
  int count = 0;
  bool colocated =
      false;  ///< true: extra k sits on the device of rank k; false: on a place of its own
};

/// One row of the registry: everything that help, GUI, documentation and tests say of an algorithm.
struct Algorithm {
  std::string_view name;
  std::string_view sentence;
  std::string_view source;            ///< the paper or code that defines it
  std::span<const ParamSpec> params;  ///< beyond none are accepted
  bool needs_commutative = true;
  bool identical_ranks = true;  ///< promises bit-identical results on all ranks
  /// A channel carries two independent streams at once (up and down a tree), between which NCCL
  /// splits the channel's threads.
  bool splits_channels = false;
  std::string_view also_known_as = "";  ///< names in other libraries, e.g. "NCCL Ring; Open MPI 4"

  Program (*rank_program)(Rank) = nullptr;
  Extras (*extras)(const World&) = nullptr;  ///< null: none
  Program (*extra_program)(Rank) = nullptr;  ///< id() is size() + k for extra k
  std::string (*refusal)(const World&) =
      nullptr;  ///< why this world cannot be handled; "" if it can
  std::optional<ClosedForm> (*cost)(const World&, const CostModel&) = nullptr;
  /// Which relabelling of the ranks turns every rank's program into the others': the same
  /// operations in the same order, on ranges of the same sizes that meet in the same way. Null:
  /// none.
  Relabelling (*symmetry)(const World&) = nullptr;
};

/// Every algorithm, in the order in which lists show them.
std::span<const Algorithm> all_algorithms();
/// By name; unknown names are a usage Error with a suggestion.
const Algorithm& find_algorithm(std::string_view name);

/// Defaults overlaid with what the user set; unknown names and bad values are usage Errors.
Params complete_params(const Algorithm& algorithm,
                       const std::map<std::string, std::string>& given = {});

/// Fills in what the algorithm itself decides (extras) and refuses worlds that it cannot handle.
World prepare_world(const Algorithm& algorithm, World world);

/// The program of participant `id` of a prepared world: a rank's, or an extra's.
Program make_program(const Algorithm& algorithm, const World& world, int id,
                     ScratchSizes* scratch_buffers);

}  // namespace reducelab
