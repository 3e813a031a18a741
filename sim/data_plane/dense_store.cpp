#include "sim/data_plane/dense_store.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "core/error.h"
#include "cuda_exec/sample_data.h"

namespace reducelab {

void DenseStore::Free::operator()(std::byte* bytes) const {
  std::free(bytes);
}

/// Zeroed memory that takes no room until it is written.
DenseStore::Bytes DenseStore::allocate(std::size_t bytes) {
  Bytes result(static_cast<std::byte*>(std::calloc(bytes > 0 ? bytes : 1, 1)));
  if (!result) throw std::bad_alloc();
  return result;
}

DenseStore::DenseStore(const DataSetup& setup, MemoryBudget& budget)
    : setup_(setup),
      budget_(budget),
      participants_(static_cast<std::size_t>(setup.participants())) {
  for (std::size_t i = 0; i < participants_.size(); ++i) {
    budget_.take(setup_.world.count * size_of(setup_.type));
  }
}

std::span<std::byte> DenseStore::vector_bytes(int participant) {
  Bytes& vector = participants_[static_cast<std::size_t>(participant)].vector;
  const std::size_t size = static_cast<std::size_t>(setup_.world.count) * setup_.element_bytes();
  if (!vector) {
    vector = allocate(size);
    const std::span<std::byte> all(vector.get(), size);
    if (participant < setup_.world.ranks) {
      fill(setup_.type, setup_.op, setup_.seed, setup_.identity_of(participant), 0, all);
    } else if (setup_.op != ReduceOp::sum && setup_.op != ReduceOp::avg) {  // it is zeroed already
      fill_identity(setup_.type, setup_.op, all);
    }
  }
  return {vector.get(), size};
}

std::span<std::byte> DenseStore::part(std::byte* buffer, const Range& range) const {
  return {buffer + static_cast<std::size_t>(range.first) * setup_.element_bytes(),
          static_cast<std::size_t>(range.count) * setup_.element_bytes()};
}

std::span<std::byte> DenseStore::existing(int participant, const Range& range, const char* doing) {
  if (range.buffer == 0) {
    if (range.first < 0 || range.end() > setup_.world.count) {
      throw run_error("{} {}, but the vector has {} elements", doing,
                      describe_range(setup_.world, participant, range), setup_.world.count);
    }
    return part(vector_bytes(participant).data(), range);
  }
  auto& scratch = participants_[static_cast<std::size_t>(participant)].scratch;
  const auto found = scratch.find(range.buffer);
  if (found == scratch.end() || range.end() > found->second.written) {
    throw run_error("{} {}, which was never written", doing,
                    describe_range(setup_.world, participant, range));
  }
  return part(found->second.bytes.get(), range);
}

HeldValues DenseStore::read(int participant, const Range& range) {
  return {existing(participant, range, "the program reads"), {}};
}

std::span<std::byte> DenseStore::reduce_into(int participant, const Range& range,
                                             const HeldElements&) {
  return existing(participant, range, "the program reduces into");
}

bool DenseStore::moves(int participant, const Range& range, const HeldElements&) {
  if (range.buffer == 0) return false;
  const auto& scratch = participants_[static_cast<std::size_t>(participant)].scratch;
  const auto found = scratch.find(range.buffer);
  return found != scratch.end() && range.end() > found->second.capacity;
}

std::span<std::byte> DenseStore::overwrite(int participant, const Range& range,
                                           const HeldElements&) {
  if (range.buffer == 0) return existing(participant, range, "the program writes");
  Scratch& scratch = participants_[static_cast<std::size_t>(participant)].scratch[range.buffer];
  if (range.end() > scratch.capacity) {
    // The buffer's own size is not known here: it grows to what is used, by doubling.
    const std::int64_t capacity = std::max(range.end(), 2 * scratch.capacity);
    budget_.take(capacity * size_of(setup_.type));
    Bytes grown = allocate(static_cast<std::size_t>(capacity) * setup_.element_bytes());
    if (scratch.bytes) {
      std::memcpy(grown.get(), scratch.bytes.get(),
                  static_cast<std::size_t>(scratch.written) * setup_.element_bytes());
    }
    budget_.give_back(scratch.capacity * size_of(setup_.type));
    scratch.bytes = std::move(grown);
    scratch.capacity = capacity;
  }
  scratch.written = std::max(scratch.written, range.end());
  return part(scratch.bytes.get(), range);
}

}  // namespace reducelab
