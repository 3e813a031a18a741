#include "experiments/cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace reducelab {
namespace {

bool colour_on(int stream) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return ::isatty(stream) != 0 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

void prepare_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Opened the wrong way round, so that using it still fails as a closed one does.
    const int placeholder = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (placeholder >= 0 && placeholder != stream) {
      ::dup2(placeholder, stream);
      ::close(placeholder);
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(STDOUT_FILENO, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EPIPE) throw OutputClosed{};
    if (wrote < 0) throw usage_error("cannot write to standard output: {}", std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

bool colour_on_stdout() {
  return colour_on(STDOUT_FILENO);
}
bool colour_on_stderr() {
  return colour_on(STDERR_FILENO);
}

ProgressLine::ProgressLine(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(std::string_view text) {
  if (!on_) return;
  std::fputs(fmt::format("\r\x1b[K{}", text).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace reducelab
