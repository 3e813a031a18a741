#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cuda_exec/reducer.h"
#include "sim/data_plane/action_log.h"
#include "sim/data_plane/memory_budget.h"
#include "sim/data_plane/value_store.h"

namespace reducelab {

/// Buffers for payloads in flight, kept for reuse by powers of two of their size.
class PayloadBuffers {
 public:
  explicit PayloadBuffers(MemoryBudget& budget) : budget_(budget) {}

  struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    int size_class = 0;
  };
  /// A buffer of at least `bytes` bytes, with any content.
  Buffer take(std::size_t bytes);
  void give_back(Buffer buffer);

 private:
  MemoryBudget& budget_;
  std::array<std::vector<Buffer>, 64> free_;
};

/// Performs actions on the values of a store: resolves them to operations on bytes, and hands those
/// to the reducer in batches of independent ones.
class Mover {
 public:
  Mover(const DataSetup& setup, ValueStore& store, Reducer& reducer, MemoryBudget& budget);

  /// Performs actions in order; some of the last ones may be left for later.
  void perform(std::span<const Action> actions);
  /// Performs what was left.
  void flush();
  /// Real seconds that the reducer took.
  double reduce_wall_s() const { return reduce_wall_s_; }

 private:
  struct Payload {
    PayloadBuffers::Buffer buffer;
    std::span<std::byte> bytes;
    std::vector<std::int64_t> own_places;  ///< if those of the source may change
    HeldElements elements;
    std::uint64_t batch = 0;  ///< the one in which it is captured
  };
  struct Touch {
    Range range;
    bool writes = false;
  };
  struct Touched {
    std::uint64_t batch = 0;
    std::vector<Touch> ranges;
  };

  void capture(Payload& payload, int participant, const Range& source);
  void deliver(Payload& payload, int participant, const Range& target, bool reduces);
  void local(int participant, const Range& target, const Range& source, bool reduces);
  std::span<std::byte> target_bytes(int participant, const Range& target,
                                    const HeldElements& incoming, bool reduces);
  bool conflicts(int participant, const Range& range, bool writes) const;
  void touch(int participant, const Range& range, bool writes);
  void add(Reducer::Kind kind, std::span<std::byte> dst, std::span<const std::byte> src);
  void require_range(int participant, const Range& range) const;

  const DataSetup& setup_;
  ValueStore& store_;
  Reducer& reducer_;
  PayloadBuffers buffers_;
  std::vector<Payload> payloads_;  ///< by message
  Payload staged_;                 ///< of a local operation within one buffer
  std::vector<PayloadBuffers::Buffer> done_with_;
  std::vector<Reducer::Operation> batch_;
  std::uint64_t batch_number_ = 1;
  std::size_t batch_bytes_ = 0;
  std::vector<Touched> touched_;  ///< by participant: what the batch reads and writes
  double reduce_wall_s_ = 0;
};

}  // namespace reducelab
