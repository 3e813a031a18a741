#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embedded_text.h"
#include "topologies/router.h"

namespace reducelab {

/// What differs where a channel's thread block is split between two directions (up and down a
/// tree).
struct SplitChannel {
  std::array<double, 3> latency_s{};  ///< as Protocol::latency_s
  /// Payload that each direction can send.
  double channel_cap_bytes_per_s = std::numeric_limits<double>::infinity();
};

/// Slices are halved, but not to fewer bytes than `least_bytes`, while a pipeline would have fewer
/// than `slices_per_hop` of them for each of its hops.
struct SliceRule {
  double slices_per_hop = 1;
  std::int64_t least_bytes = 0;
};

/// One way of putting messages on the wire; indices are LinkKind (nvlink, pcie, network), the
/// slowest class of link on a message's path.
struct Protocol {
  std::string name;
  LinkKind reach = LinkKind::network;         ///< not chosen for jobs that use slower links
  double floor_s = 0;                         ///< paid once, before anything moves
  std::array<double, 3> latency_s{};          ///< added to the path's latency per message
  std::array<double, 3> efficiency{1, 1, 1};  ///< payload bytes per wire byte
  std::int64_t slot_bytes = 0;     ///< most that a message of a block-wise algorithm holds; 0: any
  std::int64_t slice_bytes = 0;    ///< the same for algorithms that pipeline slices
  std::int64_t channel_bytes = 0;  ///< messages too small to give each channel as much use fewer
  /// Applied in order; they begin at slot_bytes and end at slice_bytes.
  std::vector<SliceRule> slice_rules;
  /// Payload that a rank can send, shared out over its channels.
  std::array<double, 3> rank_cap_bytes_per_s = unbounded();
  /// Payload that one channel (one thread block) can send.
  double channel_cap_bytes_per_s = std::numeric_limits<double>::infinity();
  std::optional<SplitChannel> split;  ///< replaces its members for algorithms that split channels

  static constexpr std::array<double, 3> unbounded() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {kInfinity, kInfinity, kInfinity};
  }
};

/// What the messaging library and the reduction cost, on top of the topology's wires.
struct Profile {
  std::string name;
  std::string description;
  bool latency_includes_path = false;           ///< protocol latencies were measured end to end
  std::vector<Protocol> protocols{Protocol{}};  ///< the fastest for the size at hand is used

  double send_overhead_s = 0;     ///< occupies the sending rank, per message
  double receive_overhead_s = 0;  ///< occupies the receiving rank, per message
  std::int64_t eager_bytes = -1;  ///< up to here a transfer need not wait for its receive; -1: none
  double handshake_latencies = 0;  ///< path latencies that a non-eager message pays beforehand
  std::uint32_t window = 8;        ///< messages posted per connection and direction

  double reduction_launch_s = 0;                                           ///< per reduction
  double reduction_bytes_per_s = std::numeric_limits<double>::infinity();  ///< result bytes
  int concurrent_reductions = 1;                                           ///< per rank
  double copy_bytes_per_s = std::numeric_limits<double>::infinity();       ///< local copies

  std::int64_t default_channels = 0;  ///< for algorithms that have channels; 0: their own default

  /// Seconds per byte of a reduction (gamma), 0 when free.
  double gamma_s_per_byte() const { return 1 / reduction_bytes_per_s; }
};

/// What a message pays between its last byte leaving and its arrival: the path's latency plus the
/// protocol's, or the larger of the two where the protocol's figure contains the wire.
double message_latency_s(const Profile& profile, const Protocol& protocol, const Route& route);

/// The files of sim/profiles: `ideal`, `mpi-rdma`, `mpi-tcp`, `nccl`.
std::span<const EmbeddedText> builtin_profiles();

/// A built-in profile by name, or a TOML file by path; anything else is a usage Error.
Profile load_profile(std::string_view name_or_path);
/// Reads a profile; errors name file, line and column.
Profile read_profile_toml(std::string_view text, const std::string& file_name);

}  // namespace reducelab
