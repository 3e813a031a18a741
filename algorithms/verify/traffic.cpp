#include "algorithms/verify/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace reducelab {
namespace {

/// A set of elements, as intervals in order that neither overlap nor touch.
class ElementSet {
 public:
  using Interval = std::pair<std::int64_t, std::int64_t>;  // first, end

  void add(std::int64_t first, std::int64_t end) {
    auto at = std::lower_bound(intervals_.begin(), intervals_.end(), first,
                               [](const Interval& one, std::int64_t v) { return one.second < v; });
    auto after = at;
    for (; after != intervals_.end() && after->first <= end; ++after) {
      first = std::min(first, after->first);
      end = std::max(end, after->second);
    }
    if (at == after) {
      intervals_.insert(at, {first, end});
      return;
    }
    *at = {first, end};
    intervals_.erase(at + 1, after);
  }

  /// The part within a range, as offsets from its beginning.
  std::vector<Interval> within(const Range& range) const {
    std::vector<Interval> parts;
    for (auto at = first_behind(range.first); at != intervals_.end() && at->first < range.end();
         ++at) {
      parts.emplace_back(std::max(at->first, range.first) - range.first,
                         std::min(at->second, range.end()) - range.first);
    }
    return parts;
  }

  void remove(const Range& range) {
    const auto at = intervals_.begin() + (first_behind(range.first) - intervals_.cbegin());
    auto after = at;
    while (after != intervals_.end() && after->first < range.end()) ++after;
    if (at == after) return;
    const Interval head{at->first, range.first};
    const Interval tail{range.end(), (after - 1)->second};
    auto place = intervals_.erase(at, after);
    if (tail.first < tail.second) place = intervals_.insert(place, tail);
    if (head.first < head.second) intervals_.insert(place, head);
  }

 private:
  std::vector<Interval>::const_iterator first_behind(std::int64_t element) const {
    return std::upper_bound(
        intervals_.begin(), intervals_.end(), element,
        [](std::int64_t wanted, const Interval& one) { return wanted < one.second; });
  }

  std::vector<Interval> intervals_;
};

}  // namespace

void check_traffic(const World& world, const ExecutionLog& log, FindingList& findings) {
  std::map<std::pair<std::int32_t, std::int32_t>, ElementSet> needed;  // by participant and buffer
  const auto at = [&](std::int32_t participant, const Range& range) -> ElementSet& {
    return needed[{participant, range.buffer}];
  };
  for (int rank = 0; rank < world.ranks && world.count > 0; ++rank) {
    needed[{rank, 0}].add(0, world.count);
  }
  std::vector<std::vector<ElementSet::Interval>> payload(log.ops().size());  // of sends
  std::vector<LogIndex> useless;

  for (auto event = log.events().rbegin(); event != log.events().rend(); ++event) {
    if (event->kind != ExecutionLog::Event::Kind::done) continue;
    const LoggedOp& op = log.ops()[event->id];
    if (op.kind == OpKind::compute) continue;
    ElementSet& set = at(op.participant, op.range);
    if (op.kind == OpKind::send) {
      if (payload[event->id].empty()) useless.push_back(event->id);
      for (const auto& [first, end] : payload[event->id]) {
        set.add(op.range.first + first, op.range.first + end);
      }
      payload[event->id] = {};
      continue;
    }
    std::vector<ElementSet::Interval> used = set.within(op.range);
    if (op.kind == OpKind::recv || op.kind == OpKind::copy) set.remove(op.range);
    if (op.is_receive()) {
      payload[op.partner] = std::move(used);
      continue;
    }
    ElementSet& source = at(op.participant, op.source);
    for (const auto& [first, end] : used) {
      source.add(op.source.first + first, op.source.first + end);
    }
  }
  std::reverse(useless.begin(), useless.end());
  for (const LogIndex send : useless) {
    const LoggedOp& op = log.ops()[send];
    findings.warning("V15", op.participant,
                     fmt::format("{} {}, but no result depends on it",
                                 participant_name(world, op.participant), describe(world, op)));
  }
}

}  // namespace reducelab
