#include "sim/data_plane/action_log.h"

#include <system_error>
#include <utility>

#include "core/error.h"

namespace reducelab {
namespace {

constexpr std::size_t chunk_actions = 1024;
constexpr std::int64_t chunk_bytes = 4 << 20;
constexpr std::size_t most_waiting_chunks = 16;

}  // namespace

ActionLog::~ActionLog() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ActionLog::push(const Action& action, std::int64_t bytes) {
  filling_.push_back(action);
  filling_bytes_ += bytes;
  if (filling_.size() >= chunk_actions || filling_bytes_ >= chunk_bytes) hand_over();
}

void ActionLog::hand_over() {
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { consume(); });
    } catch (const std::system_error& error) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("cannot start the thread that moves the data: {}", error.what()))
          .note("use --data none");
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || waiting_.size() < most_waiting_chunks; });
  rethrow_failure();
  waiting_.push_back(std::exchange(filling_, {}));
  if (!spare_.empty()) {
    filling_ = std::move(spare_.back());
    spare_.pop_back();
  }
  lock.unlock();
  filling_bytes_ = 0;
  changed_.notify_all();
}

void ActionLog::consume() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Chunk chunk = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      perform_(chunk);
    } catch (...) {
      failure = std::current_exception();  // rethrown by the next push or by finish
    }
    chunk.clear();
    lock.lock();
    spare_.push_back(std::move(chunk));
    if (failure) {
      failure_ = failure;
      waiting_.clear();
      lock.unlock();
      changed_.notify_all();
      return;
    }
  }
}

void ActionLog::finish() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  {
    const std::lock_guard lock(mutex_);
    rethrow_failure();
    ending_ = false;
  }
  // What is left is too little to be worth a thread.
  try {
    perform_(filling_);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
  filling_.clear();
  filling_bytes_ = 0;
}

void ActionLog::rethrow_failure() {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace reducelab
