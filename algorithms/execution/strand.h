#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/execution/scoreboard.h"
#include "algorithms/program.h"

namespace reducelab {

/// One thread of control of a participant: a program being pulled, and what it posted.
struct alignas(64) Strand {
  enum class State : std::uint8_t {
    running,
    full_window,
    fence,
    before_spawn,
    join,
    awaiting,  ///< a recv_any or a sleep
    exhausted
  };

  Program program;
  int participant = 0;
  std::uint32_t parent = kNone;  ///< kNone for a main strand
  std::uint32_t live_children = 0;
  std::uint32_t children = 0;         ///< spawned so far
  std::uint32_t incomplete = 0;       ///< operations posted and not done
  std::uint32_t base_depth = 0;       ///< depth that a new operation starts from
  std::uint32_t done_depth = 0;       ///< largest depth of a finished operation
  std::uint32_t waiting_on = kNone;   ///< the full connection
  std::uint32_t next_waiter = kNone;  ///< next strand that waits for the same connection
  OpId first_local = kNone;           ///< local operations run in program order, one at a time
  OpId last_local = kNone;
  State state = State::running;
  bool local_running = false;
  bool finished = false;
  std::uint64_t path = 0;  ///< its place among the strands of its participant
  Scoreboard scoreboard;

  /// A receive that any of several connections may take.
  struct AnyReceive {
    OpId op = kNone;
    std::vector<std::uint32_t> connections;
    std::size_t taken_by = 0;  ///< index of the connection that has it
  };
  std::unique_ptr<AnyReceive> any;

  struct KnownConnection {
    std::uint64_t channel;
    std::int32_t peer;
    bool outgoing;
    std::uint32_t connection;
  };
  std::vector<KnownConnection> known;  ///< the few connections it used last
};

/// The messages from one participant to another on one channel: FIFO, one transfer at a time.
struct alignas(64) Connection {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::uint64_t channel = 0;
  OpId first_send = kNone, last_send = kNone;                 ///< posted, not started
  OpId first_recv = kNone, last_recv = kNone;                 ///< posted, not matched
  std::uint32_t first_inbound = kNone, last_inbound = kNone;  ///< messages started, not done
  std::uint32_t unmatched_inbound = kNone;  ///< the first eager message without a receive
  std::uint32_t posted_sends = 0;           ///< within the sender's window
  std::uint32_t posted_recvs = 0;           ///< within the receiver's window
  std::uint32_t send_waiter = kNone;        ///< strands that a full window holds up
  std::uint32_t recv_waiter = kNone;
  bool busy = false;  ///< bytes of a message are moving
  bool reducing = false;
  bool wanted_by_any = false;  ///< a strand's AnyReceive waits for it
};
static_assert(sizeof(Connection) == 64);

}  // namespace reducelab
