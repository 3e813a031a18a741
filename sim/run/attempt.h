#pragma once

#include <memory>
#include <optional>

#include "sim/data_plane/data_plane.h"
#include "sim/transport/timed_fabric.h"
#include "sim/transport/trace_recorder.h"

namespace reducelab {

/// One execution of a job's programs on a network: the first, or one after a failure.
class Attempt {
 public:
  /// `job` and `network` must outlive the attempt; its tokens carry `token_tag`. `mode` is what the
  /// data plane does; `recorded`: keep a trace.
  Attempt(const Job& job, Network& network, std::uint64_t token_tag, DataMode mode, bool recorded);

  /// Starts the programs after the protocol's floor and each rank's own delay, from `at_s` on.
  void begin(double at_s);

  void timer_fired(std::uint64_t token);
  void flow_finished(std::uint64_t token) { fabric_.flow_finished(token); }
  void come_soon(std::span<const std::uint64_t> tokens) { fabric_.come_soon(tokens); }

  bool done() const { return started_ == job_.placement.size() && execution_.done(); }
  /// The simulated time of the last thing that happened.
  double end_s() const { return std::max(fabric_.end_s(), start_s_); }
  double begin_s() const { return begin_s_; }

  const Job& job() const { return job_; }
  const TimedFabric& fabric() const { return fabric_; }
  const Execution& execution() const { return execution_; }
  DataPlane* data() { return data_.get(); }
  TraceRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }

 private:
  void start(int participant);

  const Job& job_;
  Network& network_;
  std::uint64_t token_tag_;
  Router router_;
  TimedFabric fabric_;
  Execution execution_;
  std::unique_ptr<DataPlane> data_;
  std::optional<TraceRecorder> recorder_;
  std::size_t started_ = 0;
  double begin_s_ = 0;
  double start_s_ = 0;  ///< when the first programs start
};

}  // namespace reducelab
