#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace reducelab {

/// Events in order of time, those of one time in the order in which they were put in.
///
/// All-reduce programs march in step: thousands of events share a few instants. So events of one
/// instant stand side by side, and the heap holds instants, not events.
class EventQueue {
 public:
  struct Event {
    std::uint64_t what;
    std::uint32_t tag;
  };

  bool empty() const { return heap_.empty(); }
  /// Time of the next event; infinite if there is none.
  double next_s() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time_s;
  }

  void push(double time_s, Event event) {
    for (const Recent& recent : recent_) {
      if (recent.time_s == time_s) return instants_[recent.instant].events.push_back(event);
    }
    const std::uint32_t instant = take_instant();
    instants_[instant].events.push_back(event);
    heap_.push_back({time_s, ++pushed_, instant});
    std::push_heap(heap_.begin(), heap_.end(), later);
    recent_[oldest_recent_] = {time_s, instant};
    oldest_recent_ = (oldest_recent_ + 1) % recent_.size();
  }

  /// Takes out the next event; there must be one.
  Event pop() {
    Instant& instant = instants_[heap_.front().instant];
    const Event event = instant.events[instant.next++];
    if (instant.next == instant.events.size()) end_instant();
    return event;
  }

  /// How many events of the next instant are known and not taken out.
  std::size_t at_hand() const {
    if (heap_.empty()) return 0;
    const Instant& instant = instants_[heap_.front().instant];
    return instant.events.size() - instant.next;
  }
  /// The one `ahead` places after the next; `ahead` is below `at_hand`.
  Event peek(std::size_t ahead) const {
    const Instant& instant = instants_[heap_.front().instant];
    return instant.events[instant.next + ahead];
  }

 private:
  struct Instant {
    std::vector<Event> events;
    std::size_t next = 0;
  };
  struct Entry {
    double time_s;
    std::uint64_t order;
    std::uint32_t instant;
  };
  struct Recent {
    double time_s = -1;
    std::uint32_t instant = 0;
  };

  static bool later(const Entry& a, const Entry& b) {
    return a.time_s != b.time_s ? a.time_s > b.time_s : a.order > b.order;
  }

  std::uint32_t take_instant() {
    if (free_instants_.empty()) {
      instants_.emplace_back();
      return static_cast<std::uint32_t>(instants_.size() - 1);
    }
    const std::uint32_t instant = free_instants_.back();
    free_instants_.pop_back();
    return instant;
  }

  void end_instant() {
    const std::uint32_t number = heap_.front().instant;
    for (Recent& recent : recent_) {
      if (recent.instant == number) recent.time_s = -1;
    }
    Instant& instant = instants_[number];
    instant.events.clear();
    instant.next = 0;
    free_instants_.push_back(number);
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

  std::vector<Instant> instants_;
  std::vector<std::uint32_t> free_instants_;
  std::vector<Entry> heap_;
  std::array<Recent, 4> recent_;  ///< instants that were added last, to be found without a search
  std::size_t oldest_recent_ = 0;
  std::uint64_t pushed_ = 0;
};

}  // namespace reducelab
