#include "algorithms/verify/contents.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/verify/participant_programs.h"
#include "algorithms/verify/symbolic_buffer.h"

namespace reducelab {
namespace {

using Contents = std::vector<Segment>;

class Replay {
 public:
  Replay(const World& world, const ExecutionLog& log, const std::vector<ScratchSizes>& scratch,
         FindingList& findings)
      : world_(world), log_(log), findings_(findings), expressions_(world.ranks) {
    for (int id = 0; id < world.ranks + world.extras; ++id) {
      // A server's own vector contributes nothing: it starts as the identity.
      auto& buffers = buffers_.emplace_back();
      buffers.emplace_back(world.count,
                           id < world.ranks ? expressions_.contribution(id) : Expressions::kZero);
      for (const std::int64_t count : scratch[static_cast<std::size_t>(id)]) {
        buffers.emplace_back(count, Expressions::kUninitialised);
      }
    }
    payloads_.resize(log.ops().size());
  }

  void run() {
    for (const ExecutionLog::Event& event : log_.events()) {
      if (event.kind == ExecutionLog::Event::Kind::done) perform(event.id);
    }
  }

  void check_result(const VerifyOptions& options) {
    for (int rank = 0; rank < world_.ranks; ++rank) {
      for (const Segment& segment : vector_of(rank)) check_segment(rank, segment, options);
    }
    if (!options.identical_ranks || findings_.has_errors()) return;
    for (int rank = 1; rank < world_.ranks; ++rank) check_agreement(rank);
  }

 private:
  const Contents& vector_of(int rank) const {
    return buffers_[static_cast<std::size_t>(rank)][0].segments();
  }
  SymbolicBuffer& buffer(int participant, const Range& range) {
    return buffers_[static_cast<std::size_t>(participant)][static_cast<std::size_t>(range.buffer)];
  }
  std::string name(int participant) const { return participant_name(world_, participant); }
  std::string what(LogIndex op) const {
    const LoggedOp& logged = log_.ops()[op];
    return fmt::format("{} {}", name(logged.participant), describe(world_, logged));
  }

  void perform(LogIndex index) {
    const LoggedOp& op = log_.ops()[index];
    switch (op.kind) {
      case OpKind::send:
        payloads_[index] = read(index, op.range);
        return;
      case OpKind::recv:
        buffer(op.participant, op.range).write(op.range, payloads_[op.partner]);
        payloads_[op.partner] = {};
        return;
      case OpKind::recv_reduce:
        reduce(index, payloads_[op.partner]);
        payloads_[op.partner] = {};
        return;
      case OpKind::copy:
        buffer(op.participant, op.range).write(op.range, read(index, op.source));
        return;
      case OpKind::reduce:
        reduce(index, read(index, op.source));
        return;
      default:
        return;
    }
  }

  Contents read(LogIndex index, const Range& range) {
    const int participant = log_.ops()[index].participant;
    Contents contents = buffer(participant, range).read(range);
    for (Segment& segment : contents) {
      if (segment.expression != Expressions::kUninitialised) continue;
      segment.expression = Expressions::kBroken;
      const Range unwritten = range.part(segment.first, segment.end - segment.first);
      findings_.error("V4", participant,
                      fmt::format("{}, but nothing was written to {} before", what(index),
                                  range_name(unwritten)));
    }
    return contents;
  }

  void reduce(LogIndex index, const Contents& incoming) {
    const LoggedOp& op = log_.ops()[index];
    const Contents present = read(index, op.range);
    Contents sum;
    auto theirs = incoming.begin();
    for (const Segment& ours : present) {
      std::int64_t first = ours.first;
      while (first < ours.end) {
        while (theirs->end <= first) ++theirs;
        const std::int64_t end = std::min(ours.end, theirs->end);
        sum.push_back(add(ours, *theirs, index));
        sum.back().first = first;
        sum.back().end = end;
        first = end;
      }
    }
    buffer(op.participant, op.range).write(op.range, sum);
  }

  Segment add(const Segment& ours, const Segment& theirs, LogIndex index) {
    Segment sum;
    const bool both_placed =
        expressions_.has_place(ours.expression) && expressions_.has_place(theirs.expression);
    if (both_placed && ours.shift != theirs.shift) {
      sum.expression = expressions_.mixed(index);
      return sum;
    }
    sum.expression = expressions_.plus(ours.expression, theirs.expression, index);
    if (sum.expression == ours.expression) {
      sum.shift = ours.shift;
    } else if (sum.expression > Expressions::kBroken) {
      sum.shift = theirs.shift;
    }
    return sum;
  }

  void check_segment(int rank, const Segment& segment, const VerifyOptions& options) {
    const Expressions::Id expression = segment.expression;
    const Range range{0, segment.first, segment.end - segment.first};
    const std::string where = fmt::format("{} {}", name(rank), range_name(range));
    if (expressions_.is_broken(expression)) return;  // has its finding already
    if (expressions_.is_mixed(expression)) {
      findings_.error(
          "V3", rank,
          fmt::format("{} ends with a sum of elements of different places, first when {}", where,
                      what(expressions_.maker(expression))));
      return;
    }
    if (!expressions_.complete(expression)) {
      findings_.error("V2", rank, fmt::format("{} {}", where, count_problem(expression)));
      return;
    }
    if (segment.shift != 0) {
      Range origin = range;
      origin.first += segment.shift;
      findings_.error(
          "V3", rank,
          fmt::format("{} ends with the sum of elements {}", where, range_name(origin)));
      return;
    }
    if (options.in_rank_order && !expressions_.in_rank_order(expression)) {
      findings_.error(
          "V10", rank,
          fmt::format("{} is not added in rank order: {}", where, expression_text(expression)));
    }
  }

  std::string count_problem(Expressions::Id expression) const {
    std::string text;
    const std::vector<int> missing = expressions_.missing(expression);
    if (!missing.empty()) text = "misses " + names(missing);
    const Expressions::Duplicate twice = expressions_.first_duplicate(expression);
    if (!twice.ranks.empty()) {
      text += fmt::format("{}counts {} twice, first when {}", text.empty() ? "" : " and ",
                          names(twice.ranks), what(twice.op));
    }
    return text;
  }

  std::string names(const std::vector<int>& ranks) const {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < ranks.size() && i < kShown; ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : ", ", name(ranks[i]));
    }
    if (ranks.size() > kShown) text += fmt::format(" and {} more", ranks.size() - kShown);
    return text;
  }

  void check_agreement(int rank) {
    const Contents& first = vector_of(0);
    auto theirs = first.begin();
    for (const Segment& ours : vector_of(rank)) {
      while (theirs->end <= ours.first) ++theirs;
      for (auto part = theirs; part != first.end() && part->first < ours.end; ++part) {
        if (part->expression == ours.expression) continue;
        const std::int64_t begin = std::max(part->first, ours.first);
        const Range range{0, begin, std::min(part->end, ours.end) - begin};
        findings_.error(
            "V11", rank,
            fmt::format("rank 0 and {} add {} in different orders: {} and {}", name(rank),
                        range_name(range), expression_text(part->expression),
                        expression_text(ours.expression)));
        return;
      }
    }
  }

  std::string expression_text(Expressions::Id expression) const {
    constexpr int kMostLeaves = 8;
    const std::string text = expressions_.text(expression, kMostLeaves);
    if (!text.empty()) return text;
    const LogIndex maker = expressions_.maker(expression);
    return maker == kNone ? "..." : fmt::format("one is complete when {}", what(maker));
  }

  const World& world_;
  const ExecutionLog& log_;
  FindingList& findings_;
  Expressions expressions_;
  std::vector<std::vector<SymbolicBuffer>> buffers_;  // by participant and buffer
  std::vector<Contents> payloads_;                    // by the operation that sends
};

}  // namespace

void check_contents(const World& world, const VerifyOptions& options, const ExecutionLog& log,
                    const std::vector<ScratchSizes>& scratch, FindingList& findings) {
  Replay replay(world, log, scratch, findings);
  replay.run();
  replay.check_result(options);
}

}  // namespace reducelab
