#pragma once

#include <string_view>

namespace reducelab {

/// What no real part exceeds; beyond it a value is taken for a slip of the unit.
inline constexpr double kMostBandwidthBytesPerS = 1.25e14;  // 1 Pbps
inline constexpr double kMostLatencyS = 10;
/// The most devices, and the most cables, that a builder makes.
inline constexpr long long kMostDevices = 1 << 20;
inline constexpr long long kMostCables = 1 << 22;

/// Reads `400Gbps`; throws a usage Error unless it is above zero and at most 1 Pbps.
double read_link_bandwidth(std::string_view text);
/// Reads `1.5us`; throws a usage Error if it is negative or above 10 s.
double read_link_latency(std::string_view text);

}  // namespace reducelab
