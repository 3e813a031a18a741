#include "core/growing_array.h"

#include <sys/mman.h>

#include <algorithm>

namespace reducelab {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kFirstBytes = std::size_t{64} << 10;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

ReservedMemory::ReservedMemory(std::size_t bytes) : reserved_(bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
}

ReservedMemory::~ReservedMemory() {
  ::munmap(data_, reserved_);
}

void ReservedMemory::grow(std::size_t bytes) {
  const std::size_t wanted = std::max({bytes, 2 * usable_, kFirstBytes});
  const std::size_t usable =
      std::min(round_up(wanted, wanted < kHugePage ? kFirstBytes : kHugePage), reserved_);
  if (usable < bytes || ::mprotect(data_, usable, PROT_READ | PROT_WRITE) != 0) {
    throw std::bad_alloc();
  }
  // Only a hint; small arrays are better off in small pages.
  if (usable >= kHugePage) ::madvise(data_, usable, MADV_HUGEPAGE);
  usable_ = usable;
}

}  // namespace reducelab
