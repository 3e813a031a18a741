#pragma once

#include <cstdint>
#include <vector>

#include "core/growing_array.h"

namespace reducelab {

/// Records addressed by a 32-bit index, with a free list: no allocation in steady state, and
/// references stay valid while the pool grows.
template <class T>
class Pool {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// A fresh, value-initialised record.
  std::uint32_t take() {
    ++live_;
    if (!free_.empty()) {
      const std::uint32_t id = free_.back();
      free_.pop_back();
      records_[id] = T{};
      return id;
    }
    records_.add();
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  void give_back(std::uint32_t id) {
    --live_;
    free_.push_back(id);
  }

  T& operator[](std::uint32_t id) { return records_[id]; }
  const T& operator[](std::uint32_t id) const { return records_[id]; }
  std::uint32_t live() const { return live_; }
  /// Records made so far, given back or not; their ids are below it.
  std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }

 private:
  GrowingArray<T> records_;
  std::vector<std::uint32_t> free_;
  std::uint32_t live_ = 0;
};

}  // namespace reducelab
