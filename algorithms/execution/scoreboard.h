#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/execution/posted_op.h"

namespace reducelab {

/// Orders the operations of one strand by hazards on ranges alone, as a processor's scoreboard
/// does (CDC 6600): read after write, write after read, write after write.
///
/// The active ranges lie side by side as coarse 32-bit intervals, so that a check is a few vector
/// comparisons; only what meets there is looked at exactly. An operation leaves as soon as a later
/// one writes all that it touches: whoever conflicts with it conflicts with the later one too, so
/// many writes to one place wait in a chain instead of each for all the others.
class Scoreboard {
 public:
  /// Enters an operation; it then waits for every earlier one that conflicts with it.
  void enter(OpTable& ops, OpId id) {
    PostedOp& op = ops[id];
    const Range source = ops.source(op);
    Interval mine = interval(op.range);
    if (source.count != 0) {
      const Interval other = interval(source);
      mine = {std::min(mine.low, other.low), std::max(mine.high, other.high)};
    }
    std::uint32_t position = kNone;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[i];
      for (std::uint32_t met = group.meeting(mine); met != 0; met &= met - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(met));
        const OpId earlier = group.op[lane];
        if (!conflict(ops, ops[earlier], op, source)) continue;
        ops.add_wait(earlier, id);
        if (overwrites(ops, op, ops[earlier])) {
          group.clear(lane);
          ops[earlier].position = kLeft;
        }
      }
      if (position == kNone && group.used != kAllUsed) {
        position = static_cast<std::uint32_t>(i) * kLanes +
                   static_cast<std::uint32_t>(std::countr_one(group.used));
      }
    }
    if (position == kNone) {
      position = static_cast<std::uint32_t>(groups_.size()) * kLanes;
      groups_.emplace_back();
    }
    op.position = position & kLeft;
    groups_[position / kLanes].set(position % kLanes, mine, id);
  }

  /// Takes out an operation whose ranges are free again.
  void leave(const PostedOp& op) {
    if (op.position != kLeft) groups_[op.position / kLanes].clear(op.position % kLanes);
  }

  /// Fetches memory for an `enter` or `leave` that comes soon.
  void prefetch() const {
    if (groups_.empty()) return;
    const auto* first = reinterpret_cast<const char*>(groups_.data());
    for (std::size_t line = 0; line < sizeof(Group); line += 64) __builtin_prefetch(first + line);
  }

 private:
  struct Interval {
    std::int32_t low, high;
  };
  static constexpr unsigned kLanes = 16;
  static constexpr std::uint16_t kAllUsed = 0xffff;
  static constexpr std::uint32_t kLeft = 0xffffff;  ///< position of an operation that has left

  /// Sixteen intervals, compared four at a time (every 64-bit x86 and ARM has such registers).
  struct alignas(64) Group {
    using Lanes = std::int32_t __attribute__((vector_size(16)));
    std::array<Lanes, 4> low;
    std::array<Lanes, 4> high;
    std::array<OpId, kLanes> op{};
    std::uint16_t used = 0;

    Group() {
      for (unsigned lane = 0; lane < kLanes; ++lane) clear(lane);
    }
    void set(unsigned lane, Interval interval, OpId id) {
      low[lane / 4][lane % 4] = interval.low;
      high[lane / 4][lane % 4] = interval.high;
      op[lane] = id;
      used = static_cast<std::uint16_t>(used | (1u << lane));
    }
    /// A free lane meets nothing.
    void clear(unsigned lane) {
      low[lane / 4][lane % 4] = std::numeric_limits<std::int32_t>::max();
      high[lane / 4][lane % 4] = std::numeric_limits<std::int32_t>::min();
      used = static_cast<std::uint16_t>(used & ~(1u << lane));
    }
    /// One bit for each lane whose interval meets `other`.
    std::uint32_t meeting(Interval other) const {
      const Lanes other_low = Lanes{} + other.low;
      const Lanes other_high = Lanes{} + other.high;
      Lanes bit{1, 2, 4, 8};
      Lanes met{};
      for (unsigned i = 0; i < 4; ++i) {
        met |= (low[i] <= other_high) & (high[i] >= other_low) & bit;
        bit <<= 4;
      }
      return static_cast<std::uint32_t>(met[0] | met[1] | met[2] | met[3]);
    }
  };

  /// Elements past 2^31 are told apart by the exact check only.
  static Interval interval(const Range& range) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
    return {static_cast<std::int32_t>(std::min(range.first, most)),
            static_cast<std::int32_t>(std::min(range.end() - 1, most))};
  }

  static bool conflict(const OpTable& ops, const PostedOp& earlier, const PostedOp& later,
                       const Range& later_source) {
    if ((earlier.writes() || later.writes()) && earlier.range.overlaps(later.range)) return true;
    if (later_source.count != 0 && earlier.writes() && earlier.range.overlaps(later_source)) {
      return true;
    }
    return earlier.is_local() && later.writes() && ops.source(earlier).overlaps(later.range);
  }

  /// Whether `later` writes everything that `earlier` touches.
  static bool overwrites(const OpTable& ops, const PostedOp& later, const PostedOp& earlier) {
    if (!later.writes() || !later.range.contains(earlier.range)) return false;
    const Range source = ops.source(earlier);
    return source.count == 0 || later.range.contains(source);
  }

  std::vector<Group> groups_;
};

}  // namespace reducelab
