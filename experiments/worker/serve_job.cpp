#include "experiments/worker/serve_job.h"

#include <unistd.h>

#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>

#include "core/text.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

/// False if nobody reads any more; the result is then of no use to anyone.
bool write_line(int output, const Json& event) {
  std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t wrote = ::write(output, rest.data(), rest.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

int report(const Error& error, int output) {
  write_line(output, {{"event", "error"}, {"error", Json::parse(error.to_json())}});
  return error.exit_code();
}

/// The error boundary of workers: whatever is thrown becomes an error event.
template <class Work>
int guarded(int output, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    return report(error, output);
  } catch (const std::bad_alloc&) {
    return report(
        run_error("out of memory").note("try --data sampled, fewer ranks or fewer jobs at a time"),
        output);
  } catch (const std::exception& exception) {
    return report({ErrorCode::bug, fmt::format("unexpected: {}", exception.what())}, output);
  }
}

int run_and_report(const RunSpec& spec, const Simulation& simulation, int output) {
  write_line(output, {{"event", "started"},
                      {"schema", "reducelab.worker/1"},
                      {"spec", Json::parse(to_json(spec))}});
  const RunResult result = simulation(spec);
  write_line(output, {{"event", "result"}, {"result", Json::parse(to_json(result))}});
  return 0;
}

}  // namespace

int serve_job(const RunSpec& spec, const Simulation& simulation, int output) {
  return guarded(output, [&] { return run_and_report(spec, simulation, output); });
}

int serve_job(const std::string& job_json, const Simulation& simulation, int output) {
  return guarded(output,
                 [&] { return run_and_report(run_spec_from_json(job_json), simulation, output); });
}

std::optional<Outcome> read_outcome(std::string_view lines) {
  for (const std::string_view line : split(lines, '\n')) {
    if (trim(line).empty()) continue;
    try {
      const Json event = Json::parse(line);
      const auto kind = event.at("event").get<std::string>();
      if (kind == "result") return run_result_from_json(event.at("result").dump());
      if (kind == "error") return Error::from_json(event.at("error").dump());
    } catch (const nlohmann::json::exception& error) {
      return Error(ErrorCode::bug,
                   fmt::format("a worker's line is not an event: {}", error.what()));
    }
  }
  return std::nullopt;
}

}  // namespace reducelab
