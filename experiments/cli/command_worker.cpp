#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstring>

#include "experiments/cli/command_line.h"
#include "experiments/worker/serve_job.h"
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
  if (!parse_arguments(app, arguments)) return 0;
  return serve_job(read_standard_input(), simulate, STDOUT_FILENO);
}

}  // namespace reducelab
