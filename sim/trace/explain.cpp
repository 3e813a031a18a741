#include "sim/trace/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/units.h"

namespace reducelab {
namespace {

/// What an operation's serial stands for.
struct OpRef {
  enum class Kind : std::uint8_t { none, send, recv, local } kind = Kind::none;
  std::uint32_t index = 0;
};

class PathWalk {
 public:
  explicit PathWalk(const Trace& trace) : trace_(trace) {
    for (std::uint32_t i = 0; i < trace.messages.size(); ++i) {
      note(trace.messages[i].send, {OpRef::Kind::send, i});
      note(trace.messages[i].recv, {OpRef::Kind::recv, i});
    }
    for (std::uint32_t i = 0; i < trace.locals.size(); ++i) {
      note(trace.locals[i].op, {OpRef::Kind::local, i});
    }
  }

  Explanation walk() {
    explanation_.split.floor_s = trace_.floor_s;
    explanation_.split.recovery_s = trace_.lost_s;
    OpSerial at = last();
    std::size_t steps = 0;
    while (at != 0) {
      if (++steps > ops_.size()) throw Error(ErrorCode::bug, "the critical path has a cycle");
      const OpRef ref = at < ops_.size() ? ops_[at] : OpRef{};
      switch (ref.kind) {
        case OpRef::Kind::send:
          at = through_bytes(trace_.messages[ref.index], trace_.messages[ref.index].timing.sent_s);
          break;
        case OpRef::Kind::recv:
          at = through_receive(trace_.messages[ref.index]);
          break;
        case OpRef::Kind::local:
          at = through_local(trace_.locals[ref.index]);
          break;
        case OpRef::Kind::none:
          throw Error(ErrorCode::bug, "the critical path leads to an operation without a record");
      }
    }
    std::reverse(explanation_.path.begin(), explanation_.path.end());
    std::stable_sort(explanation_.stragglers.begin(), explanation_.stragglers.end(),
                     [](const Straggler& a, const Straggler& b) {
                       return a.slow_s + a.late_s > b.slow_s + b.late_s;
                     });
    return std::move(explanation_);
  }

 private:
  /// Differences below this share of the run are rounding.
  static constexpr double kRounding = 1e-12;

  void note(OpSerial serial, OpRef ref) {
    if (ops_.size() <= serial) ops_.resize(serial + serial / 2 + 16);
    ops_[serial] = ref;
  }

  OpSerial last() const {
    OpSerial best = 0;
    double end_s = -1;
    for (const TraceMessage& message : trace_.messages) {
      if (message.done_s > end_s) {
        end_s = message.done_s;
        best = message.recv;
      }
    }
    for (const TraceLocal& local : trace_.locals) {
      if (local.timing.end_s > end_s) {
        end_s = local.timing.end_s;
        best = local.op;
      }
    }
    return best;
  }

  OpSerial through_receive(const TraceMessage& message) {
    TimeSplit& split = explanation_.split;
    const MessageTiming& timing = message.timing;
    if (message.reduces) {
      split.queueing_s += timing.reduce_begin_s - timing.reduce_ready_s;
      split.reduction_s += timing.reduce_s;
      add_slow(message.to, timing.reduce_end_s - timing.reduce_begin_s - timing.reduce_s);
      add_step(fmt::format("{} reduces {}", name(message.to), format_bytes(message.bytes)),
               name(message.to), timing.reduce_ready_s, timing.reduce_end_s);
    }
    // Either it had to wait for an earlier use of its range, or its own arrival came last.
    if (message.done_cause != message.recv) return after(message.done_cause, message.to);
    split.latency_s += timing.latency_end_s - timing.sent_s;
    const double receive_s = timing.arrived_s - timing.latency_end_s;
    add_overhead(message.to, receive_s, timing.receive_overhead_s, timing.receive_busy_s);
    return through_bytes(message, timing.arrived_s);
  }

  OpSerial through_bytes(const TraceMessage& message, double end_s) {
    TimeSplit& split = explanation_.split;
    const MessageTiming& timing = message.timing;
    split.latency_s += timing.handshake_s;
    add_overhead(message.from, timing.overhead_end_s - timing.started_s - timing.handshake_s,
                 timing.send_overhead_s, timing.send_busy_s);
    split.bytes_s += timing.full_rate_s;
    const double more_s = timing.sent_s - timing.overhead_end_s - timing.full_rate_s;
    const double slow_link_s = std::min(timing.slow_link_s, std::max(more_s, 0.0));
    split.slow_link_s += slow_link_s;
    split.sharing_s += more_s - slow_link_s;
    add_step(fmt::format("{} -> {}, {}", name(message.from), name(message.to),
                         format_bytes(message.bytes)),
             narrowest_link(message.route), timing.started_s, end_s);
    // Without a cause it could start when the later of its two ranks was there.
    const bool receiver_was_later = start_s(message.to) > start_s(message.from);
    return after(message.start_cause, receiver_was_later ? message.to : message.from);
  }

  OpSerial through_local(const TraceLocal& local) {
    TimeSplit& split = explanation_.split;
    const LocalTiming& timing = local.timing;
    split.queueing_s += timing.begin_s - timing.ready_s;
    split.reduction_s += timing.nominal_s;
    add_slow(local.participant, timing.end_s - timing.begin_s - timing.nominal_s);
    add_step(fmt::format("{} {} {}", name(local.participant), name_of(local.kind),
                         format_bytes(local.bytes)),
             name(local.participant), timing.ready_s, timing.end_s);
    return after(local.start_cause, local.participant);
  }

  /// At the head of the path stands the start of a participant's program.
  OpSerial after(OpSerial cause, int participant) {
    if (cause != 0) return cause;
    const double late_s = start_s(participant) - trace_.lost_s - trace_.floor_s;
    explanation_.split.late_start_s += late_s;
    if (late_s > 0) straggler(participant).late_s += late_s;
    return 0;
  }

  /// Splits the time an overhead took into its nominal part, what a slow rank added, and queueing.
  void add_overhead(int participant, double took_s, double nominal_s, double busy_s) {
    explanation_.split.overhead_s += nominal_s;
    add_slow(participant, busy_s - nominal_s);
    explanation_.split.queueing_s += took_s - busy_s;
  }

  void add_slow(int participant, double more_s) {
    explanation_.split.slow_rank_s += more_s;
    if (more_s > kRounding * trace_.end_s) straggler(participant).slow_s += more_s;
  }

  Straggler& straggler(int participant) {
    const std::string& who = name(participant);
    for (Straggler& known : explanation_.stragglers) {
      if (known.who == who) return known;
    }
    return explanation_.stragglers.emplace_back(Straggler{who, 0, 0});
  }

  double start_s(int participant) const {
    return trace_.start_s[static_cast<std::size_t>(participant)];
  }

  std::string narrowest_link(std::uint32_t route) const {
    const Link* narrowest = nullptr;
    for (const LinkId id : trace_.routes[route]) {
      const Link& link = trace_.links[static_cast<std::size_t>(id)];
      if (!narrowest || link.bandwidth_bytes_per_s < narrowest->bandwidth_bytes_per_s) {
        narrowest = &link;
      }
    }
    return narrowest ? narrowest->name : "local copy";
  }

  void add_step(std::string what, std::string resource, double begin_s, double end_s) {
    explanation_.path.push_back({std::move(what), std::move(resource), begin_s, end_s});
  }

  const std::string& name(int participant) const {
    return trace_.participants[static_cast<std::size_t>(participant)];
  }

  const Trace& trace_;
  std::vector<OpRef> ops_;
  Explanation explanation_;
};

std::vector<LinkUse> busiest_links(const Trace& trace) {
  std::vector<LinkUse> uses;
  for (std::size_t i = 0; i < trace.links.size(); ++i) {
    if (trace.link_bytes[i] <= 0) continue;
    const Link& link = trace.links[i];
    uses.push_back({link.name, trace.link_bytes[i],
                    trace.link_bytes[i] / (link.bandwidth_bytes_per_s * trace.end_s)});
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const LinkUse& a, const LinkUse& b) { return a.load > b.load; });
  constexpr std::size_t kShown = 8;
  if (uses.size() > kShown) uses.resize(kShown);
  return uses;
}

}  // namespace

Explanation explain(const Trace& trace) {
  Explanation explanation = PathWalk(trace).walk();
  explanation.busiest_links = busiest_links(trace);
  return explanation;
}

}  // namespace reducelab
