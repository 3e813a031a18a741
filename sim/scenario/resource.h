#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace reducelab {

/// What of a rank does the work: its computation between collectives, its reductions and copies,
/// or its part in starting and ending messages.
enum class Resource : std::uint8_t { compute, reduction, overhead };

inline constexpr std::array<Resource, 3> kResources{Resource::compute, Resource::reduction,
                                                    Resource::overhead};

/// The words of TOML files and flags: `compute`, `reductions`, `overhead`.
std::string_view name_of(Resource resource);

/// Some of a rank's resources; by default all.
class ResourceSet {
 public:
  constexpr bool contains(Resource resource) const { return (bits_ & bit(resource)) != 0; }
  constexpr bool all() const { return bits_ == 7; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void add(Resource resource) {
    bits_ = static_cast<std::uint8_t>(bits_ | bit(resource));
  }
  static constexpr ResourceSet none() {
    ResourceSet set;
    set.bits_ = 0;
    return set;
  }
  bool operator==(const ResourceSet&) const = default;

 private:
  static constexpr std::uint8_t bit(Resource resource) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(resource));
  }
  std::uint8_t bits_ = 7;
};

/// Reads `overhead` or `compute+reductions`; an unknown word is a usage Error with "did you mean".
ResourceSet parse_resource_set(std::string_view text);

/// The inverse of `parse_resource_set`.
std::string format_resource_set(ResourceSet set);

}  // namespace reducelab
