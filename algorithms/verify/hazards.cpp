#include "algorithms/verify/hazards.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace reducelab {
namespace {

/// Who wrote each part of a buffer last, and who has read it since, within one strand.
class AccessMap {
 public:
  /// Enters a read or a write, and appends to `before` whom it must wait for.
  void access(LogIndex op, const Range& range, bool writes, std::vector<LogIndex>& before) {
    std::size_t i = split(range.first);
    const std::size_t end = split(range.end());
    for (std::size_t part = i; part < end; ++part) {
      Part& touched = parts_[part];
      if (writes) {
        before.insert(before.end(), touched.readers.begin(), touched.readers.end());
        if (touched.readers.empty() && touched.writer != kNone) before.push_back(touched.writer);
      } else if (touched.writer != kNone) {
        before.push_back(touched.writer);
      }
    }
    if (!writes) {
      for (; i < end; ++i) parts_[i].readers.push_back(op);
      return;
    }
    parts_[i].end = range.end();
    parts_[i].writer = op;
    parts_[i].readers.clear();
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                 parts_.begin() + static_cast<std::ptrdiff_t>(end));
  }

 private:
  struct Part {
    std::int64_t end = 0;  // begins where the one before it ends
    LogIndex writer = kNone;
    std::vector<LogIndex> readers;
  };

  /// Makes a part begin at `place`, and says which one it is.
  std::size_t split(std::int64_t place) {
    const auto found =
        std::upper_bound(parts_.begin(), parts_.end(), place,
                         [](std::int64_t wanted, const Part& part) { return wanted < part.end; });
    const auto i = static_cast<std::size_t>(found - parts_.begin());
    const std::int64_t begin = i == 0 ? 0 : parts_[i - 1].end;
    if (begin == place) return i;
    Part head = found == parts_.end() ? Part{} : *found;
    head.end = place;
    parts_.insert(found, std::move(head));
    return i + 1;
  }

  std::vector<Part> parts_;
};

struct Access {
  std::int32_t participant;
  Range range;
  std::uint32_t strand;
  LogIndex op;
  bool writes;
};

std::vector<Access> accesses_of_stranded_participants(const ExecutionLog& log) {
  std::vector<Access> accesses;
  for (LogIndex i = 0; i < log.ops().size(); ++i) {
    const LoggedOp& op = log.ops()[i];
    if (log.strands_of(op.participant) < 2) continue;
    if (!op.range.empty()) {
      accesses.push_back({op.participant, op.range, op.strand, i, op.kind != OpKind::send});
    }
    if (!op.source.empty()) {
      accesses.push_back({op.participant, op.source, op.strand, i, false});
    }
  }
  std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
    return std::tie(a.participant, a.range.buffer, a.range.first, a.op) <
           std::tie(b.participant, b.range.buffer, b.range.first, b.op);
  });
  return accesses;
}

}  // namespace

HazardEdges::HazardEdges(const ExecutionLog& log) {
  std::map<std::pair<std::uint32_t, std::int32_t>, AccessMap> maps;  // by strand and buffer
  std::vector<LogIndex> before;
  first_.reserve(log.ops().size() + 1);
  for (LogIndex i = 0; i < log.ops().size(); ++i) {
    const LoggedOp& op = log.ops()[i];
    before.clear();
    if (!op.source.empty()) maps[{op.strand, op.source.buffer}].access(i, op.source, false, before);
    if (!op.range.empty()) {
      maps[{op.strand, op.range.buffer}].access(i, op.range, op.kind != OpKind::send, before);
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    first_.push_back(edges_.size());
    for (const LogIndex earlier : before) {
      if (earlier != i) edges_.push_back(earlier);
    }
  }
  first_.push_back(edges_.size());
}

std::vector<ConflictingPair> conflicts_between_strands(const ExecutionLog& log) {
  std::vector<std::uint32_t> done_at(log.ops().size(), 0);
  for (std::uint32_t i = 0; i < log.events().size(); ++i) {
    const ExecutionLog::Event& event = log.events()[i];
    if (event.kind == ExecutionLog::Event::Kind::done) done_at[event.id] = i;
  }
  std::vector<ConflictingPair> pairs;
  const auto add = [&](LogIndex a, LogIndex b, bool by_connection) {
    if (done_at[a] > done_at[b]) std::swap(a, b);
    pairs.push_back({a, b, by_connection});
  };

  // A sweep over the beginnings of ranges; `open` are those that may reach the one at hand.
  std::vector<const Access*> open;
  const std::vector<Access> accesses = accesses_of_stranded_participants(log);
  for (const Access& access : accesses) {
    std::erase_if(open, [&](const Access* other) {
      return other->participant != access.participant || !other->range.overlaps(access.range);
    });
    for (const Access* other : open) {
      if (other->strand != access.strand && (other->writes || access.writes)) {
        add(other->op, access.op, false);
      }
    }
    open.push_back(&access);
  }

  std::map<std::pair<std::uint32_t, bool>, LogIndex> last_use;  // of an end of a connection
  for (LogIndex i = 0; i < log.ops().size(); ++i) {
    const LoggedOp& op = log.ops()[i];
    if (op.connection == kNone || log.strands_of(op.participant) < 2) continue;
    const auto [last, is_new] = last_use.try_emplace({op.connection, op.kind == OpKind::send}, i);
    if (!is_new && log.ops()[last->second].strand != op.strand) add(last->second, i, true);
    last->second = i;
  }
  return pairs;
}

}  // namespace reducelab
