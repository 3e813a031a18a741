// The half of `verify` that needs the registry.
#include "algorithms/verify/participant_programs.h"
#include "algorithms/verify/verify.h"

namespace reducelab {

VerifyReport verify(const Algorithm& algorithm, const World& world, VerifyOptions options) {
  const World prepared = prepare_world(algorithm, world);
  options.identical_ranks = algorithm.identical_ranks;
  options.in_rank_order = !algorithm.needs_commutative;
  const ParticipantPrograms programs = [&](int id, ScratchSizes* scratch) {
    return make_program(algorithm, prepared, id, scratch);
  };
  return verify_participants(prepared, programs, options);
}

}  // namespace reducelab
