#pragma once

#include <cstdint>

#include "algorithms/execution/posted_op.h"

namespace reducelab {

using MessageId = std::uint32_t;

/// A message on its way: matched with its receive, or eager and not matched yet.
struct Message {
  std::int32_t from = 0;  ///< participants
  std::int32_t to = 0;
  std::int64_t count = 0;    ///< elements
  std::uint64_t serial = 0;  ///< number in starting order over the whole job, from 1
  OpId send = kNone;         ///< kNone once the bytes have left
  OpId recv = kNone;         ///< kNone until matched
  std::uint32_t connection = kNone;
  MessageId next = kNone;   ///< next on the same connection
  std::uint32_t depth = 0;  ///< its place on the longest chain of dependent messages, from 1
  bool reduces = false;     ///< received by recv_reduce
  bool arrived = false;
};

/// What an Execution asks of the world it runs in. Time passes only here; every request is answered
/// by exactly one later call of the Execution (during the request itself is allowed).
class Fabric {
 public:
  virtual ~Fabric() = default;
  /// Move the bytes: answer with `sent` when the last byte has left the sender, then `arrived`.
  virtual void transfer(MessageId id, const Message& message) = 0;
  /// Reduce an arrived message into its target: answer with `reduced`.
  virtual void reduce(MessageId id, const Message& message) = 0;
  /// Perform a copy, reduce or compute of one participant: answer with `finished`.
  virtual void perform(OpId id, int participant, const Operation& operation) = 0;
  /// Let a strand sleep: answer with `woke`.
  virtual void sleep(std::uint32_t strand, double seconds) = 0;
  /// Simulated seconds since the start.
  virtual double now_s() const = 0;
};

}  // namespace reducelab
