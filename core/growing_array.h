#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace reducelab {

/// A range of addresses that memory is put behind as it is needed, in huge pages where the system
/// has them. Throws std::bad_alloc when there is none.
class ReservedMemory {
 public:
  explicit ReservedMemory(std::size_t bytes);
  ~ReservedMemory();
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  std::byte* data() const { return data_; }
  std::size_t usable_bytes() const { return usable_; }
  /// Makes at least the first `bytes` bytes usable; they start as zeros.
  void grow(std::size_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::size_t reserved_ = 0;
  std::size_t usable_ = 0;
};

/// An array that only grows and never moves: references stay valid, and an access costs no more
/// than in a plain array.
template <class T>
class GrowingArray {
 public:
  GrowingArray() : memory_(kReservedBytes) {}
  ~GrowingArray() { std::destroy_n(data(), size_); }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  /// Adds a value-initialised element.
  T& add() {
    const std::size_t needed = (size_ + 1) * sizeof(T);
    if (needed > memory_.usable_bytes()) memory_.grow(needed);
    return *::new (static_cast<void*>(data() + size_++)) T{};
  }

 private:
  static constexpr std::size_t kReservedBytes = std::size_t{1} << 38;  // addresses, not memory

  T* data() const { return std::launder(reinterpret_cast<T*>(memory_.data())); }

  ReservedMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace reducelab
