#pragma once

#include <cstdint>

namespace reducelab {

/// What a stream of random numbers is for. A draw depends on (seed, purpose, rank, index) alone, so
/// adding a rank or an option never changes the draws of the others.
enum class RandomPurpose : std::uint32_t {
  data = 1,
  arrival = 2,
  noise = 3,
  traffic = 4,
  test = 5
};

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters all 64 bits.
constexpr std::uint64_t scatter_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// A counter-based stream: draw `index` costs the same whichever draws came before it.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t rank)
      : key_(scatter_bits(scatter_bits(seed + 0x9e3779b97f4a7c15ULL) ^
                          scatter_bits((static_cast<std::uint64_t>(purpose) << 48) + rank + 1))) {}

  /// 64 uniform bits.
  constexpr std::uint64_t bits(std::uint64_t index) const {
    return scatter_bits(key_ + (index + 1) * 0x9e3779b97f4a7c15ULL);
  }
  /// Uniform in [0, 1).
  constexpr double uniform(std::uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1.0p-53;
  }

 private:
  std::uint64_t key_;
};

}  // namespace reducelab
