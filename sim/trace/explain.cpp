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
    return std::move(explanation_);
  }

 private:
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
      split.slow_rank_s += timing.reduce_end_s - timing.reduce_begin_s - timing.reduce_s;
      add_step(fmt::format("{} reduces {}", name(message.to), format_bytes(message.bytes)),
               name(message.to), timing.reduce_ready_s, timing.reduce_end_s);
    }
    // Either it had to wait for an earlier use of its range, or its own arrival came last.
    if (message.done_cause != message.recv) return message.done_cause;
    split.latency_s += timing.latency_end_s - timing.sent_s;
    const double receive_s = timing.arrived_s - timing.latency_end_s;
    add_overhead(receive_s, timing.receive_overhead_s, slowness(message.to));
    return through_bytes(message, timing.arrived_s);
  }

  OpSerial through_bytes(const TraceMessage& message, double end_s) {
    TimeSplit& split = explanation_.split;
    const MessageTiming& timing = message.timing;
    split.latency_s += timing.handshake_s;
    add_overhead(timing.overhead_end_s - timing.started_s - timing.handshake_s,
                 timing.send_overhead_s, slowness(message.from));
    split.bytes_s += timing.full_rate_s;
    split.sharing_s += timing.sent_s - timing.overhead_end_s - timing.full_rate_s;
    add_step(fmt::format("{} -> {}, {}", name(message.from), name(message.to),
                         format_bytes(message.bytes)),
             narrowest_link(message.route), timing.started_s, end_s);
    return message.start_cause;
  }

  OpSerial through_local(const TraceLocal& local) {
    TimeSplit& split = explanation_.split;
    const LocalTiming& timing = local.timing;
    split.queueing_s += timing.begin_s - timing.ready_s;
    split.reduction_s += timing.nominal_s;
    split.slow_rank_s += timing.end_s - timing.begin_s - timing.nominal_s;
    add_step(fmt::format("{} {} {}", name(local.participant), name_of(local.kind),
                         format_bytes(local.bytes)),
             name(local.participant), timing.ready_s, timing.end_s);
    return local.start_cause;
  }

  /// Splits the time an overhead took into its nominal part, what a slow rank added, and queueing.
  void add_overhead(double took_s, double nominal_s, double factor) {
    TimeSplit& split = explanation_.split;
    split.overhead_s += nominal_s;
    split.slow_rank_s += nominal_s * (factor - 1);
    split.queueing_s += took_s - nominal_s * factor;
  }

  double slowness(int participant) const {
    return trace_.slowness[static_cast<std::size_t>(participant)];
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
