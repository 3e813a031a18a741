#pragma once

#include <cstdint>
#include <string_view>

#include "algorithms/range.h"

namespace reducelab {

enum class OpKind : std::uint8_t {
  send,
  recv,
  recv_reduce,
  copy,
  reduce,
  compute,
  fence,
  spawn,
  join,
  recv_any,
  sleep,
  now
};

std::string_view name_of(OpKind kind);
/// True for operations that have a peer.
constexpr bool is_message(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::recv || kind == OpKind::recv_reduce;
}

/// One thing that a program posts. Built by the functions below; `peer` is the local number inside
/// the program's group until the program's promise translates it to a participant of the job.
struct Operation {
  OpKind kind = OpKind::fence;
  std::int32_t peer = -1;     ///< the other participant of a message
  std::uint64_t channel = 0;  ///< connections are (from, to, channel)
  Range range;                ///< what is sent, received into, or written by a local operation
  Range source;               ///< what a copy or reduce reads
  double cost_s = 0;          ///< compute only
};

/// Sends `range` to `peer`.
inline Operation send(int peer, Range range) {
  return {OpKind::send, peer, 0, range, {}, 0};
}
/// Receives into `range` from `peer`, overwriting it.
inline Operation recv(int peer, Range range) {
  return {OpKind::recv, peer, 0, range, {}, 0};
}
/// Receives from `peer` and reduces what came into `range`.
inline Operation recv_reduce(int peer, Range range) {
  return {OpKind::recv_reduce, peer, 0, range, {}, 0};
}
/// Copies `from` over `to`, two ranges of this participant with the same number of elements.
inline Operation copy(Range to, Range from) {
  return {OpKind::copy, -1, 0, to, from, 0};
}
/// Reduces `from` into `into`, two ranges of this participant with the same number of elements.
inline Operation reduce(Range into, Range from) {
  return {OpKind::reduce, -1, 0, into, from, 0};
}
/// Occupies the participant's compute resource for `cost_s` seconds.
inline Operation compute(double cost_s) {
  return {OpKind::compute, -1, 0, {}, {}, cost_s};
}
/// Waits until everything that this strand posted so far is done.
inline Operation fence() {
  return {OpKind::fence, -1, 0, {}, {}, 0};
}
/// Waits until every strand that this strand spawned is done.
inline Operation join() {
  return {OpKind::join, -1, 0, {}, {}, 0};
}

}  // namespace reducelab
