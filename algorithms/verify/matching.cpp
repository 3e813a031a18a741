#include "algorithms/verify/matching.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "core/error.h"

namespace reducelab {
namespace {

/// The messages of one connection that one side has posted and the other has not, yet.
struct Pairing {
  std::deque<Range> sends;
  std::deque<Range> recvs;
  std::int64_t paired = 0;
  bool mismatched = false;  // what follows a mismatch says nothing new
};

class Matcher {
 public:
  Matcher(const World& world, const ParticipantPrograms& programs, FindingList& findings)
      : world_(world), programs_(programs), findings_(findings) {}

  std::set<std::int64_t> run() {
    const int participants = world_.ranks + world_.extras;
    scratch_.resize(static_cast<std::size_t>(participants));
    for (int id = 0; id < participants; ++id) {
      try {
        pull(id, programs_(id, &scratch_[static_cast<std::size_t>(id)]));
      } catch (const std::exception& failure) {
        findings_.error("V15", id,
                        fmt::format("the program of {} fails after {} operations: {}", name(id),
                                    operations_, failure.what()));
      }
      operations_ = 0;
    }
    for (const auto& [key, pairing] : connections_) report_leftovers(key, pairing);
    return std::move(sizes_);
  }

 private:
  using Key = std::tuple<int, int, std::uint64_t>;  // from, to, channel

  std::string name(int participant) const { return participant_name(world_, participant); }

  void pull(int id, Program program) {
    while (program.next()) {
      const Operation& operation = program.operation();
      ++operations_;
      switch (operation.kind) {
        case OpKind::spawn:
          pull(id, program.take_spawned());
          break;
        case OpKind::send:
        case OpKind::recv:
        case OpKind::recv_reduce:
          if (operation.range.empty()) break;
          check_inside(id, operation, operation.range);
          pair(id, operation);
          break;
        case OpKind::copy:
        case OpKind::reduce:
          check_local(id, operation);
          break;
        case OpKind::compute:
        case OpKind::fence:
        case OpKind::join:
          break;
        case OpKind::recv_any:
        case OpKind::sleep:
        case OpKind::now:
          // Without time nobody knows what the program would do next.
          findings_.error("V18", id,
                          fmt::format("{}: operation {} is a {}: only static programs, which await "
                                      "nothing, can be verified",
                                      name(id), operations_, name_of(operation.kind)));
          return;
      }
    }
  }

  void check_inside(int id, const Operation& operation, const Range& range) {
    const ScratchSizes& scratch = scratch_[static_cast<std::size_t>(id)];
    const auto what = [&] {
      return fmt::format("{}: operation {}, a {} of {},", name(id), operations_,
                         name_of(operation.kind), range_name(range));
    };
    if (range.buffer < 0 || static_cast<std::size_t>(range.buffer) > scratch.size()) {
      findings_.error("V13", id, what() + " names a buffer that was never made");
      return;
    }
    const std::int64_t size =
        range.buffer == 0 ? world_.count : scratch[static_cast<std::size_t>(range.buffer) - 1];
    if (range.first < 0 || range.count < 0 || range.end() > size) {
      findings_.error(
          "V13", id,
          fmt::format("{} reaches outside the buffer, which has {} elements", what(), size));
    }
  }

  void check_local(int id, const Operation& operation) {
    if (operation.range.count != operation.source.count) {
      findings_.error("V13", id,
                      fmt::format("{}: operation {}, a {} of {}, reads {}: the lengths differ",
                                  name(id), operations_, name_of(operation.kind),
                                  range_name(operation.range), range_name(operation.source)));
    }
    if (operation.range.empty()) return;
    check_inside(id, operation, operation.range);
    check_inside(id, operation, operation.source);
    if (operation.range.overlaps(operation.source)) {
      findings_.error("V5", id,
                      fmt::format("{}: operation {}, a {} of {}, reads {}, which it overwrites",
                                  name(id), operations_, name_of(operation.kind),
                                  range_name(operation.range), range_name(operation.source)));
    }
  }

  void pair(int id, const Operation& operation) {
    const int participants = world_.ranks + world_.extras;
    if (operation.peer < 0 || operation.peer >= participants) {
      findings_.error("V1", id,
                      fmt::format("{}: operation {}, a {} of {}, names participant {} as its peer, "
                                  "but they are 0 to {}",
                                  name(id), operations_, name_of(operation.kind),
                                  range_name(operation.range), operation.peer, participants - 1));
      return;
    }
    const bool sends = operation.kind == OpKind::send;
    const Key key = sends ? Key{id, operation.peer, operation.channel}
                          : Key{operation.peer, id, operation.channel};
    Pairing& pairing = connections_[key];
    std::deque<Range>& others = sends ? pairing.recvs : pairing.sends;
    if (sends) sizes_.insert(operation.range.count);
    if (others.empty()) {
      (sends ? pairing.sends : pairing.recvs).push_back(operation.range);
      return;
    }
    const Range other = others.front();
    others.pop_front();
    ++pairing.paired;
    if (other.count != operation.range.count && !pairing.mismatched) {
      pairing.mismatched = true;
      const Range& sent = sends ? operation.range : other;
      const Range& received = sends ? other : operation.range;
      findings_.error(
          "V1", std::get<1>(key),
          fmt::format("{} sends {} elements {} to {} as message {}{}, but {} expects {} elements "
                      "there, into {}",
                      name(std::get<0>(key)), sent.count, range_name(sent), name(std::get<1>(key)),
                      pairing.paired, channel_name(key), name(std::get<1>(key)), received.count,
                      range_name(received)));
    }
  }

  static std::string channel_name(const Key& key) {
    const std::uint64_t channel = std::get<2>(key);
    return channel == 0 ? std::string() : fmt::format(" on channel {}", channel);
  }

  void report_leftovers(const Key& key, const Pairing& pairing) {
    if (pairing.mismatched) return;
    const auto [from, to, channel] = key;
    if (!pairing.sends.empty()) {
      findings_.error(
          "V1", from,
          fmt::format("{} sends {} to {} as message {}{}, which {} never receives{}", name(from),
                      range_name(pairing.sends.front()), name(to), pairing.paired + 1,
                      channel_name(key), name(to), and_more(pairing.sends.size())));
    }
    if (!pairing.recvs.empty()) {
      findings_.error(
          "V1", to,
          fmt::format("{} waits for message {} from {}{} into {}, which {} never sends{}", name(to),
                      pairing.paired + 1, name(from), channel_name(key),
                      range_name(pairing.recvs.front()), name(from),
                      and_more(pairing.recvs.size())));
    }
  }

  static std::string and_more(std::size_t count) {
    return count == 1 ? std::string() : fmt::format(" (nor {} after it)", count - 1);
  }

  const World& world_;
  const ParticipantPrograms& programs_;
  FindingList& findings_;
  std::vector<ScratchSizes> scratch_;
  std::map<Key, Pairing> connections_;
  std::set<std::int64_t> sizes_;
  std::int64_t operations_ = 0;  // of the participant at hand
};

}  // namespace

std::set<std::int64_t> check_matching(const World& world, const ParticipantPrograms& programs,
                                      FindingList& findings) {
  return Matcher(world, programs, findings).run();
}

}  // namespace reducelab
