#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "algorithms/execution/fabric.h"

namespace reducelab {

/// Something that happens to real data.
struct Action {
  enum class Kind : std::uint8_t {
    capture,     ///< the payload of `message` leaves `range`
    place,       ///< it is written into `range`
    accumulate,  ///< it is reduced into `range`
    copy,        ///< `source` is written into `range` of the same participant
    reduce,      ///< `source` is reduced into it
  };
  Kind kind = Kind::capture;
  std::int32_t participant = 0;
  MessageId message = 0;
  Range range;
  Range source;
};

/// An ordered log of actions, performed in that order by a thread of its own, which starts when
/// there is enough to do. Bounded: `push` waits while the thread is too far behind.
class ActionLog {
 public:
  using Perform = std::function<void(std::span<const Action>)>;

  explicit ActionLog(Perform perform) : perform_(std::move(perform)) {}
  /// Drops what was not performed yet.
  ~ActionLog();
  ActionLog(const ActionLog&) = delete;
  ActionLog& operator=(const ActionLog&) = delete;

  /// Adds an action that moves so many bytes; rethrows what the thread threw.
  void push(const Action& action, std::int64_t bytes);
  /// Returns when all actions are performed and the thread has ended; rethrows what it threw.
  void finish();

 private:
  using Chunk = std::vector<Action>;

  void hand_over();
  void consume();
  void rethrow_failure();

  Perform perform_;
  Chunk filling_;
  std::int64_t filling_bytes_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Chunk> waiting_;  ///< these four are guarded by the mutex
  std::vector<Chunk> spare_;
  bool ending_ = false;
  std::exception_ptr failure_;

  std::thread thread_;
};

}  // namespace reducelab
