#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
      (*this)[id] = T{};
      return id;
    }
    if ((size_ & kMask) == 0) chunks_.push_back(std::make_unique<T[]>(kMask + 1));
    return size_++;
  }
  void give_back(std::uint32_t id) {
    --live_;
    free_.push_back(id);
  }

  T& operator[](std::uint32_t id) { return chunks_[id >> kShift][id & kMask]; }
  const T& operator[](std::uint32_t id) const { return chunks_[id >> kShift][id & kMask]; }
  std::uint32_t live() const { return live_; }
  /// Records made so far, given back or not; their ids are below it.
  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kShift = 8;
  static constexpr std::uint32_t kMask = (1u << kShift) - 1;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
  std::uint32_t live_ = 0;
};

}  // namespace reducelab
