#include "algorithms/verify/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace reducelab {
namespace {

/// Operations of one strand whose ends are totally ordered: what it does on one end of one
/// connection, or locally.
struct Chains {
  explicit Chains(const ExecutionLog& log) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> numbers;
    std::vector<LogIndex> last;
    for (LogIndex i = 0; i < log.ops().size(); ++i) {
      const LoggedOp& op = log.ops()[i];
      const auto [found, is_new] =
          numbers.try_emplace({op.strand, op.connection, op.kind == OpKind::send},
                              static_cast<std::uint32_t>(last.size()));
      if (is_new) last.push_back(kNone);
      const std::uint32_t chain = found->second;
      chain_of.push_back(chain);
      previous.push_back(last[chain]);
      position.push_back(last[chain] == kNone ? 1 : position[last[chain]] + 1);
      last[chain] = i;
    }
    count = last.size();
  }

  std::size_t count = 0;
  std::vector<std::uint32_t> chain_of;
  std::vector<LogIndex> previous;       // in the chain
  std::vector<std::uint32_t> position;  // in the chain, from 1
};

/// Vector clocks (Fidge 1988, Mattern 1989) for a few chains at a time: how far each of them has
/// certainly come.
constexpr std::size_t kLanes = 16;
using Clock = std::array<std::uint32_t, kLanes>;

void advance(Clock& clock, const Clock& other) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    clock[lane] = std::max(clock[lane], other[lane]);
  }
}

class HappensBefore {
 public:
  HappensBefore(const ExecutionLog& log, const HazardEdges& hazards)
      : log_(log),
        hazards_(hazards),
        chains_(log),
        begins_(log.ops().size()),
        ends_(log.ops().size()),
        lane_of_(chains_.count, kNone) {}

  /// Those of the pairs that nothing orders.
  std::vector<ConflictingPair> unordered(std::vector<ConflictingPair> pairs) {
    std::sort(pairs.begin(), pairs.end(), [this](const auto& a, const auto& b) {
      return chains_.chain_of[a.first] < chains_.chain_of[b.first];
    });
    std::vector<ConflictingPair> races;
    for (auto pair = pairs.begin(); pair != pairs.end();) {
      std::fill(lane_of_.begin(), lane_of_.end(), kNone);
      std::uint32_t lanes = 0;
      auto end = pair;
      for (; end != pairs.end(); ++end) {
        std::uint32_t& lane = lane_of_[chains_.chain_of[end->first]];
        if (lane != kNone) continue;
        if (lanes == kLanes) break;
        lane = lanes++;
      }
      compute_clocks();
      for (; pair != end; ++pair) {
        const std::uint32_t lane = lane_of_[chains_.chain_of[pair->first]];
        if (begins_[pair->second][lane] < chains_.position[pair->first]) races.push_back(*pair);
      }
    }
    return races;
  }

 private:
  struct StrandClocks {
    Clock base{};  // of whatever it posts now
    Clock done{};  // of all that is done in it and in the strands that it spawned
    Clock children{};
  };

  void compute_clocks() {
    strands_.assign(log_.strands().size(), {});
    for (const ExecutionLog::Event& event : log_.events()) {
      if (event.kind == ExecutionLog::Event::Kind::done) {
        finish_op(event.id);
        continue;
      }
      StrandClocks& strand = strands_[event.id];
      const std::uint32_t parent = log_.strands()[event.id].parent;
      switch (event.kind) {
        case ExecutionLog::Event::Kind::started:
          if (parent != kNone) strand.base = strand.done = strands_[parent].base;
          break;
        case ExecutionLog::Event::Kind::joined:
          advance(strand.done, strand.children);
          [[fallthrough]];
        case ExecutionLog::Event::Kind::fenced:
          strand.base = strand.done;
          break;
        case ExecutionLog::Event::Kind::ended:
          advance(strand.done, strand.children);
          if (parent != kNone) advance(strands_[parent].children, strand.done);
          break;
        case ExecutionLog::Event::Kind::done:
          break;
      }
    }
  }

  // The bytes of a plain receive may be written while they are still being sent, and while an
  // earlier message on the connection waits to be reduced; a reduction starts after both.
  void finish_op(LogIndex index) {
    const LoggedOp& op = log_.ops()[index];
    const LogIndex previous = chains_.previous[index];
    const bool plain_receive = op.kind == OpKind::recv;
    StrandClocks& strand = strands_[op.strand];

    Clock& begin = begins_[index];
    begin = strand.base;
    for (const LogIndex earlier : hazards_.before(index)) advance(begin, ends_[earlier]);
    if (op.is_receive()) advance(begin, plain_receive ? begins_[op.partner] : ends_[op.partner]);
    if (previous != kNone && !plain_receive) advance(begin, ends_[previous]);

    Clock& end = ends_[index];
    end = begin;
    if (plain_receive) {
      advance(end, ends_[op.partner]);
      if (previous != kNone) advance(end, ends_[previous]);
    }
    const std::uint32_t lane = lane_of_[chains_.chain_of[index]];
    if (lane != kNone) end[lane] = chains_.position[index];
    advance(strand.done, end);
  }

  const ExecutionLog& log_;
  const HazardEdges& hazards_;
  Chains chains_;
  std::vector<Clock> begins_, ends_;  // by operation
  std::vector<std::uint32_t> lane_of_;
  std::vector<StrandClocks> strands_;
};

}  // namespace

std::vector<ConflictingPair> find_races(const ExecutionLog& log, const HazardEdges& hazards) {
  std::vector<ConflictingPair> pairs = conflicts_between_strands(log);
  if (pairs.empty()) return pairs;
  std::vector<ConflictingPair> races = HappensBefore(log, hazards).unordered(std::move(pairs));
  std::sort(races.begin(), races.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
  });
  return races;
}

void check_races(const World& world, const ExecutionLog& log, const HazardEdges& hazards,
                 FindingList& findings) {
  for (const ConflictingPair& race : find_races(log, hazards)) {
    const LoggedOp& first = log.ops()[race.first];
    const LoggedOp& second = log.ops()[race.second];
    const auto what = [&](const LoggedOp& op) {
      return fmt::format("strand {} {}", log.strands()[op.strand].number, describe(world, op));
    };
    if (race.by_connection) {
      findings.error(
          "V12", first.participant,
          fmt::format("{}: {} and {} on one connection, and nothing orders them: which "
                      "comes first depends on timing (give each a channel)",
                      participant_name(world, first.participant), what(first), what(second)));
    } else {
      findings.error(
          "V5", first.participant,
          fmt::format("{}: {} and {} race: nothing orders them",
                      participant_name(world, first.participant), what(first), what(second)));
    }
  }
}

}  // namespace reducelab
