#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sim/scenario/rank_timeline.h"

namespace reducelab {

/// Which of several requests of one instant goes first: the smallest. It says nothing about how an
/// engine numbers its events, so all engines serve in one order; nor which rank asks, so ranks that
/// are alike are served alike.
struct Turn {
  enum class Kind : std::uint8_t {
    receive,  ///< a message system looks at what has come before it sends more
    send,
    local
  };
  Kind kind = Kind::receive;
  int peer = 0;              ///< of a message: the difference between the two ranks
  std::uint64_t strand = 0;  ///< the channel of a message; the strand of local work

  auto operator<=>(const Turn&) const = default;
};

/// Work that waits for a server of its device.
struct ServerRequest {
  std::uint32_t device = 0;
  int participant = 0;  ///< whose resource does it
  Resource resource = Resource::overhead;
  double nominal_s = 0;  ///< what it takes where nothing is slow
  double asked_s = 0;
  double then_s = 0;  ///< what the asker does after it, elsewhere
  Turn turn;
  std::uint64_t token = 0;  ///< the asker's own
};

/// When a server is used.
struct ServerUse {
  double begin_s = 0;
  double end_s = 0;
};

/// Equal servers of each device, first come, first served. What comes at one instant, up to
/// rounding, is collected and then served in the order of its Turns.
class Servers {
 public:
  /// `timelines`, by participant, say how fast each one's resources are; empty: as fast as ever.
  /// They must outlive the servers.
  Servers(std::size_t devices, std::size_t per_device, const std::vector<RankTimeline>& timelines)
      : per_device_(per_device), free_s_(devices * per_device, 0), timelines_(timelines) {}

  /// The time after which nothing belongs to the instant `now_s` any more.
  static double end_of_instant_s(double now_s) {
    constexpr double kRounding = 1e-11;
    constexpr double kClock_s = 1e-12;  // what engines themselves take for one time is a tenth
    return now_s + (kClock_s + kRounding * now_s);
  }

  /// Serves a request at once, which is for work that takes no time: its turn makes no difference.
  ServerUse use(const ServerRequest& request);
  /// Takes in a request; true if it is the first of its instant, at whose end `serve` is due.
  bool ask(const ServerRequest& request) {
    waiting_.push_back(request);
    return waiting_.size() == 1;
  }

  /// Serves what was asked for: calls `done(request, use)` for each, which may ask for more.
  template <class Done>
  void serve(Done done) {
    serving_.swap(waiting_);
    sort_by_turn();
    for (const ServerRequest& request : serving_) done(request, use(request));
    serving_.clear();
  }

 private:
  void sort_by_turn();

  std::size_t per_device_;
  std::vector<double> free_s_;  ///< when each is free, those of one device side by side
  const std::vector<RankTimeline>& timelines_;
  std::vector<ServerRequest> waiting_;
  std::vector<ServerRequest> serving_;
};

}  // namespace reducelab
