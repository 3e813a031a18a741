#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstring>

#include "experiments/cli/command_line.h"
#include "experiments/cli/trial_options.h"
#include "experiments/worker/serve_job.h"
#include "experiments/worker/wall_limit.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

/// All of standard input, whatever it is connected to.
std::string read_standard_input() {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw usage_error("cannot read standard input: {}", std::strerror(errno));
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

int command_worker(Arguments arguments) {
  CLI::App app(
      "Run one job: a JSON object on standard input; what happens comes as JSON lines on standard "
      "output, ending with an event \"result\" or \"error\".",
      "reducelab worker");
  std::string wall_limit;
  declare_wall_limit(app, wall_limit);
  if (!parse_arguments(app, arguments)) return 0;
  const double wall_limit_s = parse_wall_limit(wall_limit);
  const auto limited = [wall_limit_s](const RunSpec& spec) {
    const WallLimit limit(wall_limit_s, STDOUT_FILENO);
    return simulate(spec);
  };
  return serve_job(read_standard_input(), limited, STDOUT_FILENO);
}

}  // namespace reducelab
