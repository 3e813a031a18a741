#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/execution/observer.h"
#include "cuda_exec/reducer.h"
#include "sim/job.h"
#include "sim/trace/run_result.h"

namespace reducelab {

/// The part of a vector that a data plane holds.
struct VectorValues {
  std::vector<std::int64_t> elements;  ///< which ones, in increasing order
  std::vector<std::byte> bytes;        ///< their values, in the same order
};

/// Moves and reduces real values as the simulation completes operations, then checks every rank
/// against a float64 reference. Attach it to the Execution before anything starts. The arithmetic
/// runs in a thread of its own, which starts once there is enough to do; an Error of it (a program
/// that reads what was never written, memory that runs out) comes out of a later call.
class DataPlane : public ExecutionObserver {
 public:
  /// Fills `verified`, `data`, `reducer`, `checked_elements`, `wrong`, the errors,
  /// `ranks_identical` and `reduce_wall_s` of a result. Call once, after the run.
  virtual void check(RunResult& result) = 0;

  /// What a participant's vector holds after everything so far; averages are divided by `check`.
  virtual VectorValues values(int participant) = 0;
};

/// The mode that a job's data will really use: what was asked for, and for `automatic` full if the
/// vectors and as much again in flight take at most 512 MiB and a quarter of the free memory, else
/// sampled; never silently none. Throws an Error (unsupported) if full data was asked for and the
/// vectors alone exceed the free memory.
DataMode choose_data_mode(const Job& job);

/// Null for DataMode::none. Throws an Error (unsupported) if this build has no such reducer, or if
/// full data cannot fit in memory.
std::unique_ptr<DataPlane> make_data_plane(const Job& job, DataMode mode);

}  // namespace reducelab
