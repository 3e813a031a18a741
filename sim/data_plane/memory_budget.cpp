#include "sim/data_plane/memory_budget.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "core/error.h"

namespace reducelab {
namespace {

std::optional<std::int64_t> meminfo_available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  std::string rest;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, rest);
  }
  return std::nullopt;
}

/// The number in a control group's file; nothing if there is none (`max`, or no such file).
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// Cached file content that counts as used but makes way when memory is needed.
std::int64_t reclaimable_bytes(const std::string& path) {
  std::ifstream file(path);
  std::string key;
  std::int64_t value = 0;
  std::int64_t sum = 0;
  while (file >> key >> value) {
    if (key == "active_file" || key == "inactive_file") sum += value;
  }
  return sum;
}

std::optional<std::int64_t> control_group_available_bytes() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("0::")) continue;  // version 2
    const std::string folder = "/sys/fs/cgroup" + line.substr(3) + "/";
    const auto limit = number_in(folder + "memory.max");
    const auto used = number_in(folder + "memory.current");
    if (!limit || !used) return std::nullopt;
    return std::max<std::int64_t>(0, *limit - *used + reclaimable_bytes(folder + "memory.stat"));
  }
  return std::nullopt;
}

}  // namespace

std::int64_t available_memory_bytes() {
  const std::int64_t machine = meminfo_available_bytes().value_or(
      static_cast<std::int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE));
  return std::min(machine, control_group_available_bytes().value_or(machine));
}

std::string round_memory(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

void MemoryBudget::take(std::int64_t bytes) {
  if (bytes > limit_bytes_ - taken_bytes_) {
    throw Error(ErrorCode::unsupported,
                fmt::format("the run's messages and scratch buffers need more memory for real data "
                            "than is free ({} in use for it, {} more wanted)",
                            round_memory(static_cast<double>(taken_bytes_)),
                            round_memory(static_cast<double>(bytes))))
        .note("use --data sampled");
  }
  taken_bytes_ += bytes;
}

}  // namespace reducelab
