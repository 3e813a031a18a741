#pragma once

#include <functional>
#include <variant>

#include "core/error.h"
#include "sim/trace/run_result.h"
#include "sim/trace/run_spec.h"

namespace reducelab {

/// Runs one simulation in this process. Whoever links an engine passes it in, so that starting and
/// reading workers needs none.
using Simulation = std::function<RunResult(const RunSpec&)>;

/// What became of a job.
using Outcome = std::variant<RunResult, Error>;

/// The worker's side, its error boundary: runs the job and writes what happens as JSON lines to
/// `output`, a file descriptor: `{"event":"started",...}`, then `{"event":"result","result":{...}}`
/// or `{"event":"error","error":{...}}`. Returns the exit code.
int serve_job(const RunSpec& spec, const Simulation& simulation, int output);
/// The same for a job as JSON text; text that is no job ends with an error event.
int serve_job(const std::string& job_json, const Simulation& simulation, int output);

/// The reader's side: the outcome that a worker's lines tell, or nothing if it told none.
std::optional<Outcome> read_outcome(std::string_view lines);

}  // namespace reducelab
