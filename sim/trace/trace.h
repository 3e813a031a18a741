#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/operation.h"
#include "topologies/topology.h"

namespace reducelab {

/// When each phase of a message happened, in simulated seconds.
struct MessageTiming {
  double started_s = 0;       ///< matched; the sender's overhead begins or queues
  double overhead_end_s = 0;  ///< the sender's overhead and the handshake are over
  double sent_s = 0;          ///< the last byte has left
  double latency_end_s = 0;   ///< it has come
  double arrived_s = 0;       ///< the receiver's overhead is over
  double reduce_ready_s = 0;  ///< its range is free, the reduction may queue
  double reduce_begin_s = 0;  ///< it really begins
  double reduce_end_s = 0;
  // What each phase takes by itself, without queueing, sharing or a slow rank:
  double handshake_s = 0;
  double send_overhead_s = 0;
  double full_rate_s = 0;
  double receive_overhead_s = 0;
  double reduce_s = 0;
  // What a misbehaving cluster made of some of them, still without queueing or sharing:
  double send_busy_s = 0;
  double receive_busy_s = 0;
  double slow_link_s = 0;  ///< more than full_rate_s, at the rate that the links had at the start
};

/// When a local operation ran, in simulated seconds.
struct LocalTiming {
  double ready_s = 0;
  double begin_s = 0;
  double end_s = 0;
  double nominal_s = 0;  ///< at the nominal speed of the rank
};

/// Operations of a run are numbered from 1 in posting order; 0 as a cause is the start of the run.
using OpSerial = std::uint64_t;

struct TraceMessage {
  int from = 0;  ///< participants
  int to = 0;
  std::uint64_t channel = 0;
  std::int64_t bytes = 0;
  std::uint32_t route = 0;  ///< index into Trace::routes
  bool reduces = false;
  OpSerial send = 0;
  OpSerial recv = 0;
  OpSerial start_cause = 0;  ///< the operation whose end let it start
  OpSerial done_cause = 0;   ///< the one whose end let the receive finish; `recv`: its arrival
  double recv_posted_s = 0;
  double done_s = 0;
  MessageTiming timing;
};

struct TraceLocal {
  int participant = 0;
  OpKind kind = OpKind::copy;
  std::int64_t bytes = 0;
  OpSerial op = 0;
  OpSerial start_cause = 0;
  LocalTiming timing;
};

/// Everything that happened in one run; enough to draw it and to say why it took so long.
struct Trace {
  std::vector<std::string> participants;  ///< `rank 0`, ..., `server 0`
  std::vector<double> start_s;            ///< participant -> when its program started
  std::vector<Link> links;                ///< of the topology
  std::vector<std::vector<LinkId>> routes;
  std::vector<double> link_bytes;      ///< on the wire, per link, other traffic included
  std::vector<TraceMessage> messages;  ///< in starting order
  std::vector<TraceLocal> locals;
  double lost_s = 0;   ///< before this attempt began: earlier ones, and what their failures cost
  double floor_s = 0;  ///< of this attempt, before anything moves
  double end_s = 0;
};

}  // namespace reducelab
