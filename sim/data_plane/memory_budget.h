#pragma once

#include <cstdint>
#include <string>

namespace reducelab {

/// Bytes of memory that this process can still take without swapping: what the machine has
/// available, or less if its control group (cgroup v2) allows less.
std::int64_t available_memory_bytes();

/// `21.5 GiB`: memory is told to people in round figures.
std::string round_memory(double bytes);

/// Keeps count of the memory that real data takes, so that a run that needs too much ends with an
/// Error (unsupported) instead of being killed.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  /// Counts an allocation about to be made.
  void take(std::int64_t bytes);
  void give_back(std::int64_t bytes) { taken_bytes_ -= bytes; }

 private:
  std::int64_t limit_bytes_;
  std::int64_t taken_bytes_ = 0;
};

}  // namespace reducelab
