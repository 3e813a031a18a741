#pragma once

#include <coroutine>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/operation.h"
#include "algorithms/rank.h"

namespace reducelab {

class Program;

/// Asks for another program to run inside this strand, to its end, before this one goes on.
struct RunRequest;
/// Asks for another program to run as a strand of its own, beside this one.
struct SpawnRequest;

/// What one participant does, as a lazy sequence of operations: a C++20 coroutine whose first
/// parameter is its Rank. `co_yield` posts an operation and goes on. Programs nest (`run`) at no
/// extra cost per operation, since the innermost one is resumed directly.
class Program {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  /// No program yet; only to be assigned to.
  Program() = default;
  explicit Program(Handle handle) : handle_(handle) {}
  Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Program() {
    if (handle_) handle_.destroy();
  }

  /// Runs to the next operation; false at the end. Rethrows what the program throws.
  bool next();
  /// The operation that `next` reached, its peer and channel already those of the job.
  const Operation& operation() const;
  /// The program of a `spawn` operation; may be taken once.
  Program take_spawned();
  /// The participants that a `recv_any` names.
  std::span<const int> any_peers() const;
  /// What a `recv_any` (index of the peer) or `now` (seconds) gives to the program when it goes on.
  void answer(double value);
  /// Fetches memory for a `next` that comes soon: first the one, and some time later the other.
  void prefetch_root() const { prefetch(handle_.address(), 3); }
  void prefetch_leaf() const;

 private:
  static void prefetch(const void* frame, int lines) {
    for (int i = 0; i < lines; ++i) __builtin_prefetch(static_cast<const char*>(frame) + 64 * i);
  }

  Handle handle_;
};

struct RunRequest {
  Program program;
};
struct SpawnRequest {
  Program program;
};

/// Runs `program` inside this strand: `co_yield run(ring(self.within(group, i, part)))`.
inline RunRequest run(Program program) {
  return {std::move(program)};
}
/// Starts `program` as a strand of its own, once everything posted before is done:
/// `co_yield spawn(tree_up(self.on_channel(c)))`.
inline SpawnRequest spawn(Program program) {
  return {std::move(program)};
}

struct Program::promise_type {
  // The coroutine's own copy of its Rank lives as long as the frame; peers are translated by it.
  template <class... Rest>
  explicit promise_type(Rank& self, Rest&...) : rank(&self) {}
  template <class Closure, class... Rest>
  promise_type(Closure&, Rank& self, Rest&...) : rank(&self) {}

  Program get_return_object() { return Program(Handle::from_promise(*this)); }
  std::suspend_always initial_suspend() noexcept { return {}; }

  struct BackToParent {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle done) noexcept {
      promise_type& promise = done.promise();
      if (!promise.parent) return std::noop_coroutine();
      promise.root->leaf = promise.parent;
      return promise.parent;
    }
    void await_resume() noexcept {}
  };
  BackToParent final_suspend() noexcept { return {}; }

  /// An operation made in the co_yield expression itself lives in the frame until the program goes
  /// on, so it is used where it stands.
  std::suspend_always yield_value(Operation&& operation) {
    if (operation.peer >= 0) operation.peer = rank->participant(operation.peer);
    operation.channel = rank->channel();
    root->current = &operation;
    return {};
  }
  std::suspend_always yield_value(const Operation& operation) {
    root->own = operation;
    return yield_value(std::move(root->own));
  }

  std::suspend_always yield_value(SpawnRequest request) {
    root->own = Operation{OpKind::spawn, -1, 0, {}, {}, 0};
    root->current = &root->own;
    root->spawned = request.program.handle_;
    request.program.handle_ = nullptr;
    return {};
  }

  struct IntoChild {
    Program child;
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle parent) noexcept {
      promise_type& promise = child.handle_.promise();
      promise.parent = parent;
      promise.root = parent.promise().root;
      promise.root->leaf = child.handle_;
      return child.handle_;
    }
    void await_resume() {
      if (child.handle_.promise().failure) std::rethrow_exception(child.handle_.promise().failure);
    }
  };
  IntoChild yield_value(RunRequest request) { return {std::move(request.program)}; }

  struct Awaited {
    promise_type* root;
    bool await_ready() noexcept { return false; }
    void await_suspend(Handle) noexcept {}
    double await_resume() noexcept { return root->answer; }
  };
  struct AwaitedPeer : Awaited {
    std::vector<int> peers;
    int await_resume() noexcept { return peers[static_cast<std::size_t>(root->answer)]; }
  };
  AwaitedPeer await_transform(RecvAnyRequest request) {
    root->any_peers.clear();
    for (const int peer : request.peers) root->any_peers.push_back(rank->participant(peer));
    ask({OpKind::recv_any, -1, rank->channel(), request.range, {}, request.reduces ? 1.0 : 0.0});
    return {{root}, std::move(request.peers)};
  }
  Awaited await_transform(SleepRequest request) {
    ask({OpKind::sleep, -1, 0, {}, {}, request.seconds});
    return {root};
  }
  Awaited await_transform(NowRequest) {
    ask({OpKind::now, -1, 0, {}, {}, 0});
    return {root};
  }
  void ask(const Operation& operation) {
    root->own = operation;
    root->current = &root->own;
  }

  void return_void() noexcept {}
  void unhandled_exception() noexcept { failure = std::current_exception(); }

  ~promise_type() {
    if (spawned) spawned.destroy();
  }

  const Rank* rank;
  promise_type* root = this;
  Handle parent;
  std::exception_ptr failure;
  // Only the root's are used:
  Handle leaf = Handle::from_promise(*this);
  const Operation* current = nullptr;
  Operation own;
  Handle spawned;
  std::vector<int> any_peers;
  double answer = 0;
};

inline bool Program::next() {
  promise_type& root = handle_.promise();
  if (handle_.done()) return false;
  root.leaf.resume();
  if (!handle_.done()) return true;
  if (root.failure) std::rethrow_exception(std::exchange(root.failure, nullptr));
  return false;
}

inline const Operation& Program::operation() const {
  return *handle_.promise().current;
}

inline std::span<const int> Program::any_peers() const {
  return handle_.promise().any_peers;
}

inline void Program::answer(double value) {
  handle_.promise().answer = value;
}

inline void Program::prefetch_leaf() const {
  prefetch(handle_.promise().leaf.address(), 6);
}

inline Program Program::take_spawned() {
  return Program(std::exchange(handle_.promise().spawned, Handle{}));
}

}  // namespace reducelab
