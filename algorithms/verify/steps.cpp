#include "algorithms/verify/steps.h"

#include <algorithm>
#include <vector>

namespace reducelab {

std::uint32_t number_steps(ExecutionLog& log, const HazardEdges& hazards) {
  struct StrandDepth {
    std::uint32_t base = 0;  // of what it posts now
    std::uint32_t done = 0;
    std::uint32_t children = 0;
  };
  using Kind = ExecutionLog::Event::Kind;
  std::vector<StrandDepth> strands(log.strands().size());
  std::vector<std::uint32_t> depth(log.ops().size(), 0);  // messages on the longest chain up to it
  std::uint32_t longest = 0;

  for (const ExecutionLog::Event& event : log.events()) {
    if (event.kind == Kind::done) {
      const LoggedOp& op = log.ops()[event.id];
      std::uint32_t& own = depth[event.id];
      own = strands[op.strand].base;
      for (const LogIndex earlier : hazards.before(event.id)) own = std::max(own, depth[earlier]);
      if (op.kind == OpKind::send) log.set_step(event.id, ++own);
      if (op.is_receive()) {
        const std::uint32_t message = log.ops()[op.partner].step;
        log.set_step(event.id, message);
        own = std::max(own, message);
      }
      longest = std::max(longest, op.step);
      strands[op.strand].done = std::max(strands[op.strand].done, own);
      continue;
    }
    StrandDepth& strand = strands[event.id];
    const std::uint32_t parent = log.strands()[event.id].parent;
    if (event.kind == Kind::started) {
      if (parent != kNone) strand.base = strand.done = strands[parent].base;
      continue;
    }
    if (event.kind != Kind::fenced) strand.done = std::max(strand.done, strand.children);
    if (event.kind != Kind::ended) {
      strand.base = strand.done;
    } else if (parent != kNone) {
      strands[parent].children = std::max(strands[parent].children, strand.done);
    }
  }
  return longest;
}

}  // namespace reducelab
