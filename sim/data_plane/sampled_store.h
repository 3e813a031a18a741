#pragma once

#include <map>
#include <vector>

#include "sim/data_plane/value_store.h"

namespace reducelab {

/// The elements of a vector that are sampled: all if there are few; else first and last of the
/// vector and of each of its `ranks` blocks, and one in each of 4096 equal pieces (more for more
/// than 2048 ranks).
std::vector<std::int64_t> sample_places(std::int64_t count, int ranks);

/// Keeps the values of sampled elements only. A vector holds the same elements on every
/// participant; a scratch buffer holds those that were written into it.
class SampledStore final : public ValueStore {
 public:
  explicit SampledStore(const DataSetup& setup);

  HeldValues read(int participant, const Range& range) override;
  bool moves(int participant, const Range& range, const HeldElements& incoming) override;
  std::span<std::byte> overwrite(int participant, const Range& range,
                                 const HeldElements& incoming) override;
  std::span<std::byte> reduce_into(int participant, const Range& range,
                                   const HeldElements& incoming) override;
  HeldElements vector_elements() const override { return {places_, 0}; }
  std::span<std::byte> vector_bytes(int participant) override;

 private:
  struct Scratch {
    std::vector<std::int64_t> places;
    std::vector<std::byte> bytes;
  };
  struct Participant {
    std::vector<std::byte> vector;
    std::map<int, Scratch> scratch;
  };

  HeldValues held(std::span<const std::int64_t> places, std::span<std::byte> bytes,
                  const Range& range) const;
  [[noreturn]] void mismatch(int participant, const Range& range, const char* doing) const;

  const DataSetup& setup_;
  std::vector<std::int64_t> places_;
  std::vector<Participant> participants_;
};

}  // namespace reducelab
