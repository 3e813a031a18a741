#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "algorithms/execution/execution.h"
#include "algorithms/execution/logical_fabric.h"
#include "algorithms/registry.h"

namespace reducelab {

/// Real vectors of doubles, summed as an Execution goes along.
class MovedData final : public ExecutionObserver {
 public:
  using Vector = std::vector<double>;

  MovedData(const World& world, const std::function<double(int, std::int64_t)>& value)
      : buffers_(static_cast<std::size_t>(world.ranks + world.extras)) {
    for (int id = 0; id < world.ranks + world.extras; ++id) {
      Vector& vector = buffers_[id][0];
      vector.resize(world.count);
      for (std::int64_t i = 0; i < world.count && id < world.ranks; ++i) vector[i] = value(id, i);
    }
  }

  const Vector& vector(int id) { return buffers_[id][0]; }

  void message_sent(MessageId id, const Message& message, const Range& source) override {
    payloads_[id] = read(message.from, source);
  }
  void message_done(MessageId id, const Message& message, const Range& target) override {
    write(message.to, target, payloads_.at(id), message.reduces);
    payloads_.erase(id);
  }
  void local_done(OpId, int participant, const Operation& what) override {
    if (what.kind == OpKind::compute) return;
    write(participant, what.range, read(participant, what.source),
          what.kind == OpKind::reduce);
  }

 private:
  Vector& buffer(int participant, const Range& range) {
    Vector& whole = buffers_[participant][range.buffer];
    if (std::ssize(whole) < range.end()) whole.resize(range.end());
    return whole;
  }
  Vector read(int participant, const Range& range) {
    const Vector& whole = buffer(participant, range);
    return {whole.begin() + range.first, whole.begin() + range.end()};
  }
  void write(int participant, const Range& range, const Vector& values, bool add) {
    Vector& whole = buffer(participant, range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      whole[range.first + i] = (add ? whole[range.first + i] : 0) + values[i];
    }
  }

  std::vector<std::map<int, Vector>> buffers_;
  std::unordered_map<MessageId, Vector> payloads_;
};

/// Runs all programs of a prepared world to the end in a world without time.
inline void run_all(const Algorithm& algorithm, const World& world, MovedData& data,
                    std::uint32_t window = 8) {
  LogicalFabric fabric;
  Execution execution(world, {.window = window}, fabric);
  fabric.attach(execution);
  execution.observe(data);
  for (int id = 0; id < world.ranks + world.extras; ++id) {
    execution.start(id, make_program(algorithm, world, id, execution.scratch_counter(id)));
  }
  fabric.run();
  execution.require_complete();
}

}  // namespace reducelab
