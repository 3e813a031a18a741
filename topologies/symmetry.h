#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/topology.h"

namespace reducelab {

/// Finds out which relabellings of the ranks a topology, its routing and a placement do not notice,
/// and which links are then alike. It looks at every device and every link, so that one slow link
/// is enough for a no. Each question costs time and memory in proportion to the topology.
class TopologySymmetry {
 public:
  /// `topology` must outlive this. `placement` holds the device of each rank, no device twice.
  TopologySymmetry(const Topology& topology, std::span<const DeviceId> placement);

  /// True if the devices can be renumbered so that rank i moves to the device of rank `image[i]`,
  /// and every link lands on one of the same kind, latency and bandwidth. The route of a pair of
  /// ranks then moves onto that of its images wherever it is the only one (Route::only). Links that
  /// land on each other are one class from then on. May say no to a renumbering that is hard to
  /// find, but never yes to a wrong one.
  bool allows(std::span<const int> image);

  /// The link that stands for all of a link's class.
  LinkId class_of(LinkId link);
  /// Links in the class that `link` belongs to.
  std::int64_t class_size(LinkId link) {
    return class_sizes_[static_cast<std::size_t>(class_of(link))];
  }

 private:
  /// Where a link starts and ends; a shared link starts at its lower end.
  struct Ends {
    DeviceId from, to;
    auto operator<=>(const Ends&) const = default;
  };
  Ends ends_of(const Link& link) const;
  bool extend_to_all_devices(std::span<const int> image);
  bool keeps_dimensions() const;
  bool keeps_rails() const;
  bool map_links();

  const Topology& topology_;
  std::vector<DeviceId> placement_;
  std::vector<LinkId> by_ends_;  ///< links in order of their ends, then of what they are
  std::vector<LinkId> classes_;  ///< a link that is nearer to the one that stands for all
  std::vector<std::int64_t> class_sizes_;
  std::vector<DeviceId> moved_;  ///< device -> device, of the relabelling at hand
  std::vector<LinkId> moved_links_;
};

}  // namespace reducelab
