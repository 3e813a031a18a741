#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace reducelab::test {

inline constexpr double kMicrosecond = 1e-6;

/// How long the phases of a message take, in seconds, and its nominal shares of them.
struct Phases {
  double send_queue_s = 0;
  double send_overhead_s = 0;
  double handshake_s = 0;
  double full_rate_s = 1 * kMicrosecond;
  double sharing_s = 0;
  double latency_s = 0;
  double receive_queue_s = 0;
  double receive_overhead_s = 0;
  double range_wait_s = 0;  ///< until another operation has freed the receive's range
  double reduce_queue_s = 0;
  double reduce_s = 0;  ///< 0: a plain receive
};

/// Puts traces together by hand: every operation begins when the one named as its cause ends.
class BuiltTrace {
 public:
  /// `ranks` ranks on one switch; link `up i` leads from rank i, `down i` to it, at `bytes_per_s`.
  explicit BuiltTrace(int ranks, double floor_s = 0, double bytes_per_s = 1e9) : ranks_(ranks) {
    for (int i = 0; i < ranks; ++i) {
      trace.participants.push_back("rank " + std::to_string(i));
      slowness_of.push_back(1);
      trace.start_s.push_back(floor_s);
      for (const char* direction : {"up ", "down "}) {
        Link link;
        link.name = direction + std::to_string(i);
        link.bandwidth_bytes_per_s = bytes_per_s;
        trace.links.push_back(link);
      }
    }
    for (int from = 0; from < ranks; ++from) {
      for (int to = 0; to < ranks; ++to) trace.routes.push_back({2 * from, 2 * to + 1});
    }
    trace.link_bytes.assign(trace.links.size(), 0);
    trace.floor_s = trace.end_s = floor_s;
    end_of_ = {floor_s};
  }

  /// Sends after `cause` (0: at the start); the receive is posted at the start, and waits for
  /// `range_cause` too if that is not 0. Gives the record.
  const TraceMessage& message(int from, int to, std::int64_t bytes, const Phases& phases,
                              OpSerial cause = 0, OpSerial range_cause = 0,
                              std::uint64_t channel = 0) {
    TraceMessage record;
    record.from = from;
    record.to = to;
    record.channel = channel;
    record.bytes = bytes;
    record.route = static_cast<std::uint32_t>(from * ranks_ + to);
    record.reduces = phases.reduce_s > 0;
    record.send = end_of_.size();
    record.recv = end_of_.size() + 1;
    record.start_cause = cause;
    record.recv_posted_s = trace.floor_s;
    MessageTiming& timing = record.timing;
    timing.started_s = end_of_.at(cause);
    timing.handshake_s = phases.handshake_s;
    timing.send_overhead_s = phases.send_overhead_s;
    timing.full_rate_s = phases.full_rate_s;
    timing.receive_overhead_s = phases.receive_overhead_s;
    timing.reduce_s = phases.reduce_s;
    timing.send_busy_s = phases.send_overhead_s * slowness(from);
    timing.receive_busy_s = phases.receive_overhead_s * slowness(to);
    timing.overhead_end_s =
        timing.started_s + phases.send_queue_s + timing.send_busy_s + phases.handshake_s;
    timing.sent_s = timing.overhead_end_s + phases.full_rate_s + phases.sharing_s;
    timing.latency_end_s = timing.sent_s + phases.latency_s;
    timing.arrived_s = timing.latency_end_s + phases.receive_queue_s + timing.receive_busy_s;
    double ready_s = timing.arrived_s;
    record.done_cause = record.recv;
    if (range_cause != 0 && end_of_.at(range_cause) > ready_s) {
      ready_s = end_of_.at(range_cause);
      record.done_cause = range_cause;
    }
    record.done_s = ready_s;
    if (record.reduces) {
      timing.reduce_ready_s = ready_s;
      timing.reduce_begin_s = ready_s + phases.reduce_queue_s;
      timing.reduce_end_s = timing.reduce_begin_s + phases.reduce_s * slowness(to);
      record.done_s = timing.reduce_end_s;
    }
    end_of_.push_back(timing.sent_s);
    end_of_.push_back(record.done_s);
    trace.end_s = std::max(trace.end_s, record.done_s);
    for (const LinkId link : trace.routes[record.route]) {
      trace.link_bytes[static_cast<std::size_t>(link)] += static_cast<double>(bytes);
    }
    trace.messages.push_back(record);
    return trace.messages.back();
  }

  /// A local operation after `cause`; gives its serial.
  OpSerial local(int participant, OpKind kind, std::int64_t bytes, double queue_s, double nominal_s,
                 OpSerial cause = 0) {
    TraceLocal record;
    record.participant = participant;
    record.kind = kind;
    record.bytes = bytes;
    record.op = end_of_.size();
    record.start_cause = cause;
    record.timing.ready_s = end_of_.at(cause);
    record.timing.begin_s = record.timing.ready_s + queue_s;
    record.timing.nominal_s = nominal_s;
    record.timing.end_s = record.timing.begin_s + nominal_s * slowness(participant);
    end_of_.push_back(record.timing.end_s);
    trace.end_s = std::max(trace.end_s, record.timing.end_s);
    trace.locals.push_back(record);
    return record.op;
  }

  OpSerial operations() const { return end_of_.size() - 1; }

  Trace trace;
  std::vector<double> slowness_of;  ///< participant -> factor on its own work

 private:
  double slowness(int participant) const {
    return slowness_of[static_cast<std::size_t>(participant)];
  }

  int ranks_;
  std::vector<double> end_of_;  ///< by serial; 0 is the start of the run
};

}  // namespace reducelab::test
