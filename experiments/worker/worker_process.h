#pragma once

#include <sys/types.h>

#include <string>

#include "experiments/worker/serve_job.h"

namespace reducelab {

/// A forked child that runs one simulation, and what it has written so far. A simulation that
/// crashes takes down its child only. The process must have no other thread when it forks.
/// Destroying it while it runs kills the child.
class WorkerProcess {
 public:
  /// Throws an Error (failed) if the system lets no process or pipe be made.
  WorkerProcess(const RunSpec& spec, const Simulation& simulation);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  /// The read ends to wait on; -1 once the child has closed its side.
  int output() const { return output_; }
  int errors() const { return errors_; }
  /// Takes in what can be read from these now.
  void read_output() { take(output_, lines_); }
  void read_errors() { take(errors_, messages_); }
  bool closed() const { return output_ < 0 && errors_ < 0; }

  /// True once the child has ended; does not wait for that.
  bool ended();
  /// What became of it, once it has ended. A death without a word becomes an Error that says how it
  /// died.
  Outcome outcome() const;
  /// What it wrote to standard error.
  const std::string& messages() const { return messages_; }

 private:
  static void take(int& descriptor, std::string& text);

  pid_t child_ = -1;  ///< -1 once it has ended
  int status_ = 0;
  int output_ = -1;
  int errors_ = -1;
  std::string lines_;
  std::string messages_;
};

}  // namespace reducelab
