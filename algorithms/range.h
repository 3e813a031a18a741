#pragma once

#include <cstdint>

namespace reducelab {

/// A run of elements in one of a participant's buffers. Buffer 0 is the vector that is reduced in
/// place; higher numbers are scratch buffers private to the participant.
struct Range {
  std::int32_t buffer = 0;
  std::int64_t first = 0;  ///< first element
  std::int64_t count = 0;  ///< elements; 0 is legal and means "nothing"

  bool empty() const { return count == 0; }
  std::int64_t end() const { return first + count; }
  bool overlaps(const Range& other) const {
    return buffer == other.buffer && first < other.end() && other.first < end();
  }
  bool contains(const Range& other) const {
    return buffer == other.buffer && first <= other.first && other.end() <= end();
  }
  /// The sub-range of `length` elements that starts `offset` elements in.
  Range part(std::int64_t offset, std::int64_t length) const {
    return {buffer, first + offset, length};
  }
  bool operator==(const Range&) const = default;
};

/// A range cut into `parts` contiguous blocks whose sizes differ by at most one element: the first
/// (count mod parts) blocks get one more. Blocks are empty when there are fewer elements than
/// parts.
class Blocks {
 public:
  Blocks(Range whole, int parts)
      : whole_(whole), parts_(parts), base_(whole.count / parts), extra_(whole.count % parts) {}

  int size() const { return parts_; }

  /// Block `index`, counted modulo the number of blocks, so that `block[id - step]` just works.
  Range operator[](int index) const {
    int i = index % parts_;
    if (i < 0) i += parts_;
    return {whole_.buffer, whole_.first + offset(i), base_ + (i < extra_ ? 1 : 0)};
  }

  /// The contiguous blocks [first, first + count) as one range (no wrap).
  Range span(int first, int count) const {
    return {whole_.buffer, whole_.first + offset(first), offset(first + count) - offset(first)};
  }

 private:
  std::int64_t offset(int i) const { return i * base_ + (i < extra_ ? i : extra_); }

  Range whole_;
  int parts_;
  std::int64_t base_;
  std::int64_t extra_;
};

/// A range cut into consecutive slices of at most `most` elements; iterates as a range of Range.
/// An empty range has no slices; `most` <= 0 means one slice.
class Slices {
 public:
  Slices(Range whole, std::int64_t most)
      : whole_(whole),
        most_(most > 0 ? most : (whole.count > 0 ? whole.count : 1)),
        size_(most > 0 ? (whole.count + most - 1) / most : (whole.count > 0 ? 1 : 0)) {}

  std::int64_t size() const { return size_; }
  Range operator[](std::int64_t index) const {
    const std::int64_t offset = index * most_;
    return whole_.part(offset, whole_.count - offset < most_ ? whole_.count - offset : most_);
  }

  class Iterator {
   public:
    Iterator(const Slices& slices, std::int64_t index) : slices_(&slices), index_(index) {}
    Range operator*() const { return (*slices_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const Slices* slices_;
    std::int64_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  Range whole_;
  std::int64_t most_;
  std::int64_t size_;
};

}  // namespace reducelab
