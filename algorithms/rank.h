#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/params.h"
#include "algorithms/range.h"

namespace reducelab {

/// What every program of a job may know: the shape of the job, not the state of the cluster.
struct World {
  int ranks = 1;                        ///< participants that hold a vector
  int extras = 0;                       ///< servers and aggregators; numbered after the ranks
  int places = 0;                       ///< participants that the cluster holds; 0: any number
  std::int64_t count = 0;               ///< elements of the vector
  int element_bytes = 4;                ///< bytes of one element
  std::vector<std::vector<int>> nodes;  ///< ranks of each node; empty: every rank is its own node
  bool meshed = false;                  ///< every two ranks of a node have a link of their own
  Params params;                        ///< the algorithm's parameters, defaults filled in
};

/// Numbers of a subgroup: member i of the group is participant `members[i]` of the job.
using Group = std::shared_ptr<const std::vector<int>>;

/// Builds a Group from participant numbers.
inline Group make_group(std::vector<int> members) {
  return std::make_shared<const std::vector<int>>(std::move(members));
}

/// The scratch buffers that a participant's programs have made so far: element `k - 1` is the
/// number of elements of buffer `k`.
using ScratchSizes = std::vector<std::int64_t>;

/// What a program can wait for with `co_await`, whose outcome depends on time: see Rank.
struct RecvAnyRequest {
  std::vector<int> peers;
  Range range;
  bool reduces = false;
};
struct SleepRequest {
  double seconds = 0;
};
struct NowRequest {};

/// One rank's view of a collective: who it is, how many take part, and which part of the vector is
/// reduced. Programs take it by value; `within` and `on_channel` derive narrower views.
class Rank {
 public:
  /// The view of participant `id` on the whole job; `scratch_buffers` records the buffers it makes
  /// and must outlive its programs.
  Rank(const World& world, int id, ScratchSizes* scratch_buffers)
      : world_(&world),
        id_(id),
        size_(world.ranks),
        part_{0, 0, world.count},
        scratch_buffers_(scratch_buffers) {}

  int id() const { return id_; }
  int size() const { return size_; }
  int next() const { return id_ + 1 == size_ ? 0 : id_ + 1; }
  int prev() const { return id_ == 0 ? size_ - 1 : id_ - 1; }
  /// The k-th extra participant, to be used as a peer by ranks and extras alike.
  int extra(int k) const { return size_ + k; }
  int extras() const { return world_->extras; }

  const World& world() const { return *world_; }
  const Params& params() const { return world_->params; }

  /// The elements that this program reduces, in this participant's vector.
  Range vector() const { return part_; }
  /// The vector cut into `parts` near-equal blocks.
  Blocks blocks(int parts) const { return {part_, parts}; }
  /// `range` cut into slices of the parameter `slice_bytes` (0: one slice).
  Slices slices(Range range) const {
    return {range, world_->params.bytes("slice_bytes") / world_->element_bytes};
  }
  /// A new scratch buffer of `count` elements.
  Range scratch(std::int64_t count) const {
    scratch_buffers_->push_back(count);
    return {static_cast<std::int32_t>(scratch_buffers_->size()), 0, count};
  }

  /// This rank as member `index` of `group` (participants of the job), working on `part` alone.
  Rank within(Group group, int index, Range part) const {
    Rank view = *this;
    view.id_ = index;
    view.size_ = static_cast<int>(group->size());
    view.group_ = std::move(group);
    view.part_ = part;
    return view;
  }
  /// The same rank working on `part` alone.
  Rank on_part(Range part) const {
    Rank view = *this;
    view.part_ = part;
    return view;
  }
  /// The same rank with connections of its own: sub-channel `tag` (0..1022) of this view's channel.
  Rank on_channel(int tag) const {
    Rank view = *this;
    view.channel_ = channel_ * 1024 + static_cast<std::uint64_t>(tag) + 1;
    return view;
  }

  /// `const int peer = co_await self.recv_any(peers, range);` receives from whichever of `peers`
  /// sends first and says which it was. A program that awaits anything is not static: what it does
  /// next may depend on time.
  RecvAnyRequest recv_any(std::vector<int> peers, Range range) const {
    return {std::move(peers), range, false};
  }
  /// The same, reducing what came into `range`.
  RecvAnyRequest recv_reduce_any(std::vector<int> peers, Range range) const {
    return {std::move(peers), range, true};
  }
  /// `co_await self.sleep(t);` goes on `seconds` later.
  SleepRequest sleep(double seconds) const { return {seconds}; }
  /// `const double now_s = co_await self.now();` gives the simulated time.
  NowRequest now() const { return {}; }

  std::uint64_t channel() const { return channel_; }
  /// The participant of the job that `peer` stands for in this view.
  int participant(int peer) const {
    if (peer >= size_) return world_->ranks + (peer - size_);
    return group_ ? (*group_)[static_cast<std::size_t>(peer)] : peer;
  }

 private:
  const World* world_;
  int id_;
  int size_;
  std::uint64_t channel_ = 0;
  Range part_;
  Group group_;
  ScratchSizes* scratch_buffers_;
};

}  // namespace reducelab
