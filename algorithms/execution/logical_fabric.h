#pragma once

#include <deque>

#include "algorithms/execution/execution.h"

namespace reducelab {

/// A world without time: everything happens at once, in the order in which it was asked for.
class LogicalFabric final : public Fabric {
 public:
  /// The execution to answer; set once, before anything starts.
  void attach(Execution& execution) { execution_ = &execution; }

  void transfer(MessageId id, const Message&) override { queue_.push_back({Kind::transfer, id}); }
  void reduce(MessageId id, const Message&) override { queue_.push_back({Kind::reduce, id}); }
  void perform(OpId id, int, const Operation&) override { queue_.push_back({Kind::local, id}); }
  void sleep(std::uint32_t strand, double) override { queue_.push_back({Kind::sleep, strand}); }
  double now_s() const override { return 0; }

  /// Answers every request, and those that follow, until nothing is left to do.
  void run() {
    run([] { return false; });
  }
  /// The same, until `stop()`.
  template <class Stop>
  void run(Stop stop) {
    while (!queue_.empty() && !stop()) {
      const Request request = queue_.front();
      queue_.pop_front();
      if (request.kind == Kind::local) {
        execution_->finished(request.id);
      } else if (request.kind == Kind::sleep) {
        execution_->woke(request.id);
      } else if (request.kind == Kind::reduce) {
        execution_->reduced(request.id);
      } else {
        execution_->sent(request.id);
        execution_->arrived(request.id);
      }
    }
  }

 private:
  enum class Kind : std::uint8_t { transfer, reduce, local, sleep };
  struct Request {
    Kind kind;
    std::uint32_t id;
  };
  Execution* execution_ = nullptr;
  std::deque<Request> queue_;
};

}  // namespace reducelab
