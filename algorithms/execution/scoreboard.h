#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/execution/pool.h"
#include "algorithms/operation.h"

namespace reducelab {

using OpId = std::uint32_t;
inline constexpr std::uint32_t kNone = Pool<int>::kNone;

/// A posted operation that is not yet done.
struct PostedOp {
  Operation what;
  std::uint64_t serial = 0;  ///< number in posting order over the whole job, from 1
  std::uint32_t strand = 0;
  std::uint32_t connection = kNone;  ///< of a send or receive
  OpId next = kNone;                 ///< next in its connection's or strand's queue
  std::uint32_t blockers = 0;        ///< earlier operations whose ranges it must wait for
  std::uint32_t first_waiter = kNone;
  std::uint32_t position = 0;  ///< in its strand's scoreboard
  std::uint32_t depth = 0;     ///< messages on the longest chain that led to it
};

/// The operations of a whole job, and who waits for whom among them.
class OpTable {
 public:
  OpId take() { return ops_.take(); }
  void give_back(OpId id) { ops_.give_back(id); }
  PostedOp& operator[](OpId id) { return ops_[id]; }
  const PostedOp& operator[](OpId id) const { return ops_[id]; }

  /// Makes `waiter` wait until `blocker` is released.
  void add_wait(OpId blocker, OpId waiter) {
    const std::uint32_t edge = edges_.take();
    edges_[edge] = {waiter, ops_[blocker].first_waiter};
    ops_[blocker].first_waiter = edge;
    ++ops_[waiter].blockers;
  }

  /// Lets everyone who waited for `blocker` go on; `on_ready(OpId)` is called for those that wait
  /// for nothing any more, in the order in which they were posted.
  template <class OnReady>
  void release(OpId blocker, OnReady on_ready) {
    const std::uint32_t depth = ops_[blocker].depth;
    std::uint32_t edge = reverse(std::exchange(ops_[blocker].first_waiter, kNone));
    while (edge != kNone) {
      const Edge current = edges_[edge];
      edges_.give_back(edge);
      PostedOp& waiter = ops_[current.waiter];
      if (waiter.depth < depth) waiter.depth = depth;
      if (--waiter.blockers == 0) on_ready(current.waiter);
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
  Pool<Edge> edges_;
};

/// Orders the operations of one strand by hazards on ranges alone, as a processor's scoreboard
/// does (CDC 6600): read after write, write after read, write after write.
class Scoreboard {
 public:
  /// Enters an operation; it then waits for every earlier one that conflicts with it.
  void enter(OpTable& ops, OpId id) {
    PostedOp& op = ops[id];
    op.position = static_cast<std::uint32_t>(active_.size());
    for (const Access& earlier : active_) {
      if (conflict(earlier, op.what)) ops.add_wait(earlier.op, id);
    }
    active_.push_back({op.what.range, op.what.source, id, op.what.kind != OpKind::send});
  }

  /// Takes out an operation whose ranges are free again.
  void leave(OpTable& ops, OpId id) {
    const std::uint32_t position = ops[id].position;
    active_[position] = active_.back();
    ops[active_[position].op].position = position;
    active_.pop_back();
  }

  bool empty() const { return active_.empty(); }
  std::size_t size() const { return active_.size(); }
  /// The operations that are not done, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Access& access : active_) visit(access.op);
  }

 private:
  struct Access {
    Range range;
    Range source;  // empty unless the operation reads a second range
    OpId op;
    bool writes;  // `range`; a send only reads it
  };

  static bool conflict(const Access& earlier, const Operation& later) {
    const bool later_writes = later.kind != OpKind::send;
    if ((earlier.writes || later_writes) && earlier.range.overlaps(later.range)) return true;
    if (later.source.count != 0 && earlier.writes && earlier.range.overlaps(later.source)) {
      return true;
    }
    return earlier.source.count != 0 && later_writes && earlier.source.overlaps(later.range);
  }

  std::vector<Access> active_;
};

}  // namespace reducelab
