#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/rank.h"
#include "core/data_type.h"

namespace reducelab {

/// What is reduced, and what the vectors hold at the start: sample data of (type, op, seed, rank)
/// for ranks, the identity of the reduction for extra participants.
struct DataSetup {
  World world;
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;
  std::uint64_t seed = 1;
  std::vector<int> identity;  ///< rank -> the rank whose sample data it holds; empty: its own

  int identity_of(int rank) const {
    return identity.empty() ? rank : identity[static_cast<std::size_t>(rank)];
  }
  int participants() const { return world.ranks + world.extras; }
  std::size_t element_bytes() const { return static_cast<std::size_t>(size_of(type)); }
};

/// Which elements of a range have values, by their places in its buffer. No places means all.
struct HeldElements {
  std::span<const std::int64_t> places;  ///< increasing
  std::int64_t first = 0;                ///< start of the range

  /// True if the same elements are held, counted from the start of each range.
  bool coincide(const HeldElements& other) const {
    if (places.size() != other.places.size()) return false;
    if (places.data() == other.places.data() && first == other.first) return true;
    return std::ranges::equal(
        places, other.places, {}, [this](auto place) { return place - first; },
        [&other](auto place) { return place - other.first; });
  }
};

/// The values of a range, one after the other.
struct HeldValues {
  std::span<std::byte> bytes;
  HeldElements elements;
};

/// Keeps the values of every participant's buffers: all of them or a sample. What it returns points
/// into the buffers and holds until `moves` says otherwise. Programs that read or reduce into
/// elements that have no value get an Error (failed) naming participant and range.
class ValueStore {
 public:
  virtual ~ValueStore() = default;

  /// The values of a range that was written before.
  virtual HeldValues read(int participant, const Range& range) = 0;
  /// True if `overwrite` would move other values of the same buffer in memory.
  virtual bool moves(int participant, const Range& range, const HeldElements& incoming) = 0;
  /// Room for new values of `range`, for these elements of it.
  virtual std::span<std::byte> overwrite(int participant, const Range& range,
                                         const HeldElements& incoming) = 0;
  /// The values of a range, which must be of the same elements as those that are coming in.
  virtual std::span<std::byte> reduce_into(int participant, const Range& range,
                                           const HeldElements& incoming) = 0;

  /// Every participant's vector (buffer 0) holds these elements of it; no places means all.
  virtual HeldElements vector_elements() const = 0;
  /// The values of a participant's vector.
  virtual std::span<std::byte> vector_bytes(int participant) = 0;
};

/// Calls `visit(index, count)` for each run of consecutive places, `places[index]` being its first.
template <class Visit>
void for_each_run(std::span<const std::int64_t> places, Visit visit) {
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    for (end = begin + 1; end < places.size() && places[end] == places[end - 1] + 1;) ++end;
    visit(begin, end - begin);
  }
}

/// Writes the value that changes nothing when reduced with: 0 for sum and avg, 1 for prod, the
/// type's largest (or infinity) for min, its lowest (or -infinity) for max.
void fill_identity(DataType type, ReduceOp op, std::span<std::byte> out);

/// `[5, 9) of rank 3` or `[5, 9) of scratch 1 of server 0`.
std::string describe_range(const World& world, int participant, const Range& range);

}  // namespace reducelab
