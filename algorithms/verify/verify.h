#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algorithms/program.h"
#include "algorithms/registry.h"
#include "algorithms/verify/finding.h"

namespace reducelab {

/// Makes the program of the participant whose view it gets; is called several times for each, and
/// must make the same program every time.
using ProgramFactory = std::function<Program(Rank)>;

/// What an all-reduce is verified against beyond being one.
struct VerifyOptions {
  std::uint32_t window = 8;      ///< messages that may be posted per connection and direction
  bool identical_ranks = true;   ///< V11: promises bit-identical results on all ranks
  bool in_rank_order = false;    ///< V10: promises to keep the ranks' order (non-commutative op)
  int most_children = 0;         ///< V8: connections that a participant may reduce from; 0: any
  int most_findings_per_id = 4;  ///< further ones are counted, not kept
};

/// What a verification found, and what the program costs.
struct VerifyReport {
  std::vector<Finding> findings;
  std::map<std::string, int> finding_counts;  ///< by id, with those that are not kept
  bool has_errors = false;                    ///< kept or not

  // Of the run that was checked; all 0 if there was none because programs do not even match.
  std::uint64_t messages = 0;
  std::uint32_t steps = 0;               ///< messages on the longest chain of dependent messages
  std::vector<std::int64_t> bytes_sent;  ///< by participant
  std::vector<std::int64_t> bytes_received;  ///< by participant
  std::vector<std::int64_t> scratch_bytes;   ///< by participant
  std::vector<int> children;  ///< by participant: connections (peer and channel) it reduces from

  /// The most that any one rank sends over the lower bound 2n(p-1)/p (V9); 0 if nothing need move.
  double bytes_over_bound = 0;
  /// Steps over the lower bound ceil(lg p) of one-ported machines (V9); 0 for one rank.
  double steps_over_bound = 0;

  /// No finding is an error (warnings are allowed).
  bool ok() const { return !has_errors; }
  std::int64_t total_bytes() const;
  /// One line per finding: `V2 error: rank 3 [0, 5) ...`.
  std::string text() const;
};

/// Proves that programs are an all-reduce, for any data and any timing, by running them on symbols.
///
/// V1 sends and receives match in order and length; V2 every element at every rank ends with every
/// contribution exactly once, V3 in its own place; V4 nothing is read before it was written; V5 no
/// two strands race on a range; V6 no deadlock under rendezvous and the declared window, V7 nor
/// with the help of eager messages alone; V8 reduction fan-in; V10 rank order; V11 rank agreement;
/// V12 no connection is shared by strands that nothing orders; V13 no access outside a buffer; V15
/// every program ends without an exception, and (warning) no message is useless.
VerifyReport verify(const World& world, const ProgramFactory& programs,
                    const VerifyOptions& options = {});

/// Verifies a registered algorithm on what `prepare_world` makes of `world` (its parameters must be
/// complete), against what its registry row promises; throws the usage Error of a world that the
/// algorithm refuses.
VerifyReport verify(const Algorithm& algorithm, const World& world, VerifyOptions options = {});

}  // namespace reducelab
