// What check_races says of random programs, against what random timings show.
#include "algorithms/verify/races.h"

#include <map>
#include <set>
#include <tuple>

#include "algorithms/execution/execution.h"
#include "core/rng.h"
#include "tests/algorithms/verify/verify_support.h"

namespace reducelab {
namespace {

constexpr int kRanks = 3;
constexpr std::uint64_t kTimings = 60;
constexpr int kStrands = 2;  // of each rank, main among them

/// For each rank and strand, what it posts.
using Script = std::vector<std::vector<std::vector<Operation>>>;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, RandomPurpose::test, 0) {}
  int below(int limit) {
    return static_cast<int>(stream_.bits(index_++) % static_cast<std::uint64_t>(limit));
  }

 private:
  RandomStream stream_;
  std::uint64_t index_ = 0;
};

/// Messages and copies between random strands over random ranges, in one order that all keep to:
/// such programs match and cannot deadlock.
Script random_script(Draws& draw) {
  Script script(kRanks, std::vector<std::vector<Operation>>(kStrands));
  const auto range_of = [&](std::int64_t count) { return Range{0, draw.below(5), count}; };
  for (int i = 0; i < 14; ++i) {
    const int from = draw.below(kRanks);
    const int to = (from + 1 + draw.below(kRanks - 1)) % kRanks;
    const int sender = draw.below(kStrands);
    const int receiver = draw.below(kStrands);
    const std::int64_t count = 1 + draw.below(3);
    auto& at_sender = script[static_cast<std::size_t>(from)][static_cast<std::size_t>(sender)];
    auto& at_receiver = script[static_cast<std::size_t>(to)][static_cast<std::size_t>(receiver)];
    if (draw.below(5) == 0) {
      at_sender.push_back(copy(Range{0, draw.below(2), 2}, Range{0, 3 + draw.below(3), 2}));
      continue;
    }
    Operation out = send(to, range_of(count));
    Operation in =
        draw.below(2) == 0 ? recv(from, range_of(count)) : recv_reduce(from, range_of(count));
    // A connection of their own for each pair of strands.
    out.cost_s = in.cost_s = sender * kStrands + receiver;
    at_sender.push_back(out);
    at_receiver.push_back(in);
  }
  return script;
}

Program one_operation(Rank, Operation operation) {
  co_yield operation;
}
Program scripted_strand(Rank self, const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) {
    const int tag = static_cast<int>(operation.cost_s);
    co_yield run(one_operation(self.on_channel(tag), operation));
  }
}
Program scripted(Rank self, const std::vector<std::vector<Operation>>& strands) {
  for (std::size_t strand = 1; strand < strands.size(); ++strand) {
    co_yield spawn(scripted_strand(self, strands[strand]));
  }
  co_yield run(scripted_strand(self, strands[0]));
}

/// Answers what is asked of it in an order of random urgency, so that some answers come very late.
class ShuffledFabric final : public Fabric {
 public:
  explicit ShuffledFabric(std::uint64_t seed) : draw_(seed) {}
  void attach(Execution& execution) { execution_ = &execution; }
  void transfer(MessageId id, const Message&) override { ask(Answer::sent, id); }
  void reduce(MessageId id, const Message&) override { ask(Answer::reduced, id); }
  void perform(OpId id, int, const Operation&) override { ask(Answer::finished, id); }
  void sleep(std::uint32_t strand, double) override { ask(Answer::woke, strand); }
  double now_s() const override { return 0; }

  void run() {
    while (!asked_.empty()) {
      const auto [answer, id] = asked_.begin()->second;
      asked_.erase(asked_.begin());
      if (answer == Answer::finished) execution_->finished(id);
      if (answer == Answer::woke) execution_->woke(id);
      if (answer == Answer::reduced) execution_->reduced(id);
      if (answer == Answer::arrived) execution_->arrived(id);
      if (answer == Answer::sent) {
        ask(Answer::arrived, id);
        execution_->sent(id);
      }
    }
  }

 private:
  enum class Answer { sent, arrived, reduced, finished, woke };
  void ask(Answer answer, std::uint32_t id) {
    asked_.emplace(draw_.below(1000), std::pair(answer, id));
  }

  Draws draw_;
  Execution* execution_ = nullptr;
  std::multimap<int, std::pair<Answer, std::uint32_t>> asked_;
};

/// When operations touched their ranges, in ticks.
class Spans final : public ExecutionObserver {
 public:
  explicit Spans(bool eager) : eager_(eager) {}
  int begin(LogIndex op) const { return spans_[op].first; }
  int end(LogIndex op) const { return spans_[op].second; }

  void op_posted(OpId id, int, const PostedOp&, const Operation&) override {
    if (index_of_.size() <= id) index_of_.resize(id + 1);
    index_of_[id] = spans_.size();
    spans_.emplace_back(-1, -1);
  }
  void message_started(MessageId, const Message& message) override {
    start(message.send);
    // Eager bytes may come before the range is free, and wait elsewhere.
    if (!eager_ && !message.reduces) start(message.recv);
  }
  void message_sent(MessageId, const Message& message, const Range&) override {
    finish(message.send);
  }
  void reduction_started(MessageId, const Message& message) override { start(message.recv); }
  void message_done(MessageId, const Message& message, const Range&) override {
    if (eager_ && !message.reduces) start(message.recv);
    finish(message.recv);
  }
  void local_started(OpId id, int, const Operation&) override { start(id); }
  void local_done(OpId id, int, const Operation&) override { finish(id); }

 private:
  void start(OpId id) { spans_[index_of_[id]].first = tick_++; }
  void finish(OpId id) { spans_[index_of_[id]].second = tick_++; }

  bool eager_;
  int tick_ = 0;
  std::vector<std::size_t> index_of_;
  std::vector<std::pair<int, int>> spans_;
};

/// An operation as all timings know it: rank, strand, and its number in the strand.
using Name = std::tuple<int, int, int>;

struct Observed {
  Observed(const World& world, bool eager) : log(world), spans(eager) {}
  ExecutionLog log;
  Spans spans;
  std::map<Name, LogIndex> by_name;
  std::map<LogIndex, Name> names;
};

Observed run_shuffled(const World& world, const Script& script, bool eager, std::uint64_t seed) {
  Observed observed(world, eager);
  ShuffledFabric fabric(seed);
  Execution execution(world, {100, eager ? 1000 : -1}, fabric);
  fabric.attach(execution);
  execution.observe(observed.log);
  execution.observe(observed.spans);
  for (int id = 0; id < world.ranks; ++id) {
    execution.start(id, scripted(Rank(world, id, execution.scratch_counter(id)),
                                 script[static_cast<std::size_t>(id)]));
  }
  fabric.run();
  execution.require_complete();
  std::map<std::uint32_t, int> posted;
  for (LogIndex i = 0; i < observed.log.ops().size(); ++i) {
    const LoggedOp& op = observed.log.ops()[i];
    const Name name{op.participant, observed.log.strands()[op.strand].number, posted[op.strand]++};
    observed.names[i] = name;
    observed.by_name[name] = i;
  }
  return observed;
}

using NamePairs = std::set<std::pair<Name, Name>>;

NamePairs names_of(const Observed& observed, const std::vector<ConflictingPair>& pairs) {
  NamePairs result;
  for (const ConflictingPair& pair : pairs) {
    if (pair.by_connection) continue;
    result.emplace(observed.names.at(pair.first), observed.names.at(pair.second));
  }
  return result;
}

TEST(VerifyRaces, SaysOfRandomProgramsWhatRandomTimingsShow) {
  const World world = world_of(kRanks, 12);
  std::size_t ordered = 0;
  std::size_t racing = 0;
  std::size_t seen = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Draws draw(seed);
    const Script script = random_script(draw);
    const Observed first = run_shuffled(world, script, false, seed);
    const NamePairs conflicts = names_of(first, conflicts_between_strands(first.log));
    const NamePairs races = names_of(first, find_races(first.log, HazardEdges(first.log)));

    NamePairs violated;
    for (std::uint64_t timing = 0; timing < kTimings; ++timing) {
      const bool eager = timing % 2 == 1;
      const Observed other = run_shuffled(world, script, eager, timing * 1000 + seed);
      for (const auto& [before, after] : conflicts) {
        const LogIndex a = other.by_name.at(before);
        const LogIndex b = other.by_name.at(after);
        if (other.spans.begin(b) < other.spans.end(a)) violated.emplace(before, after);
      }
    }
    for (const auto& pair : violated) {
      EXPECT_EQ(races.count(pair), 1U) << "seed " << seed << ": called ordered, but overlaps";
    }
    ordered += conflicts.size() - races.size();
    racing += races.size();
    seen += violated.size();
  }
  EXPECT_GT(ordered, 200U);
  EXPECT_GT(racing, 200U);
  // Nearly every race shows in one of the timings: few pairs, if any, are called racing wrongly.
  EXPECT_GT(static_cast<double>(seen), 0.99 * static_cast<double>(racing));
}

}  // namespace
}  // namespace reducelab
