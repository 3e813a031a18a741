#pragma once

#include <cstdint>
#include <utility>

#include "algorithms/execution/pool.h"
#include "algorithms/operation.h"

namespace reducelab {

using OpId = std::uint32_t;
inline constexpr std::uint32_t kNone = Pool<int>::kNone;

/// A posted operation that is not yet done. One cache line: a run has ranks x window of them, and
/// going through them is what a large simulation waits for.
struct alignas(64) PostedOp {
  Range range;
  std::uint64_t serial = 0;  ///< in posting order over the whole job, from 1; 0: not posted
  std::uint32_t strand = 0;
  std::uint32_t place = kNone;         ///< a message's connection; a local operation's LocalWork
  OpId next = kNone;                   ///< next in its connection's or strand's queue
  std::uint32_t blockers = 0;          ///< earlier operations whose ranges it must wait for
  OpId first_waiter = kNone;           ///< who waits for its ranges: the first that was posted,
  std::uint32_t more_waiters = kNone;  ///< and the others
  std::uint32_t depth = 0;             ///< messages on the longest chain that led to it
  std::uint32_t position : 24 = 0;     ///< in its strand's scoreboard
  OpKind kind : 8 = OpKind::fence;

  bool writes() const { return kind != OpKind::send; }
  bool is_message() const { return reducelab::is_message(kind); }
  bool is_local() const { return !is_message(); }
};
static_assert(sizeof(PostedOp) == 64);

/// What only local operations have.
struct LocalWork {
  Range source;
  double cost_s = 0;
};

/// The operations of a whole job, and who waits for whom among them.
class OpTable {
 public:
  OpId take(const Operation& operation) {
    const OpId id = ops_.take();
    PostedOp& op = ops_[id];
    op.range = operation.range;
    op.kind = operation.kind;
    if (op.is_local()) {
      op.place = local_.take();
      local_[op.place] = {operation.source, operation.cost_s};
    }
    return id;
  }
  void give_back(OpId id) {
    if (ops_[id].is_local()) local_.give_back(ops_[id].place);
    ops_[id].serial = 0;
    ops_.give_back(id);
  }
  PostedOp& operator[](OpId id) { return ops_[id]; }
  const PostedOp& operator[](OpId id) const { return ops_[id]; }
  /// Calls `visit(OpId)` for each operation that is not done.
  template <class Visit>
  void for_each(Visit visit) const {
    for (OpId id = 0; id < ops_.size(); ++id) {
      if (ops_[id].serial != 0) visit(id);
    }
  }
  /// The range that an operation reads besides the one that it writes; empty for a message.
  Range source(const PostedOp& op) const {
    return op.is_local() ? local_[op.place].source : Range{};
  }
  double cost_s(const PostedOp& op) const { return local_[op.place].cost_s; }

  /// Makes `waiter` wait until `blocker` is released.
  void add_wait(OpId blocker, OpId waiter) {
    ++ops_[waiter].blockers;
    PostedOp& op = ops_[blocker];
    if (op.first_waiter == kNone) {
      op.first_waiter = waiter;
      return;
    }
    const std::uint32_t edge = edges_.take();
    edges_[edge] = {waiter, op.more_waiters};
    op.more_waiters = edge;
  }

  /// Lets everyone who waited for `blocker` go on; `on_ready(OpId)` is called for those that wait
  /// for nothing any more, in the order in which they were posted.
  template <class OnReady>
  void release(OpId blocker, OnReady on_ready) {
    PostedOp& op = ops_[blocker];
    if (op.first_waiter == kNone) return;
    const std::uint32_t depth = op.depth;
    std::uint32_t edge = op.more_waiters == kNone ? kNone : reverse(op.more_waiters);
    op.more_waiters = kNone;
    const auto let_go = [&](OpId id) {
      PostedOp& waiter = ops_[id];
      if (waiter.depth < depth) waiter.depth = depth;
      if (--waiter.blockers == 0) on_ready(id);
    };
    let_go(std::exchange(op.first_waiter, kNone));
    while (edge != kNone) {
      const Edge current = edges_[edge];
      edges_.give_back(edge);
      let_go(current.waiter);
      edge = current.next;
    }
  }

 private:
  struct Edge {
    OpId waiter = kNone;
    std::uint32_t next = kNone;
  };

  std::uint32_t reverse(std::uint32_t edge) {
    std::uint32_t previous = kNone;
    while (edge != kNone) {
      const std::uint32_t next = edges_[edge].next;
      edges_[edge].next = previous;
      previous = edge;
      edge = next;
    }
    return previous;
  }

  Pool<PostedOp> ops_;
  Pool<LocalWork> local_;
  Pool<Edge> edges_;
};

}  // namespace reducelab
