#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/data_plane/memory_budget.h"
#include "sim/data_plane/value_store.h"

namespace reducelab {

/// Keeps every value. Vectors are filled when a participant is first looked at.
class DenseStore final : public ValueStore {
 public:
  /// Takes the vectors' memory from the budget.
  DenseStore(const DataSetup& setup, MemoryBudget& budget);

  HeldValues read(int participant, const Range& range) override;
  bool moves(int participant, const Range& range, const HeldElements& incoming) override;
  std::span<std::byte> overwrite(int participant, const Range& range,
                                 const HeldElements& incoming) override;
  std::span<std::byte> reduce_into(int participant, const Range& range,
                                   const HeldElements& incoming) override;
  HeldElements vector_elements() const override { return {}; }
  std::span<std::byte> vector_bytes(int participant) override;

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  using Bytes = std::unique_ptr<std::byte[], Free>;
  struct Scratch {
    Bytes bytes;
    std::int64_t capacity = 0;  ///< elements
    std::int64_t written = 0;   ///< elements up to the last one written
  };
  struct Participant {
    Bytes vector;
    std::map<int, Scratch> scratch;
  };

  static Bytes allocate(std::size_t bytes);
  std::span<std::byte> existing(int participant, const Range& range, const char* doing);
  std::span<std::byte> part(std::byte* buffer, const Range& range) const;

  const DataSetup& setup_;
  MemoryBudget& budget_;
  std::vector<Participant> participants_;
};

}  // namespace reducelab
