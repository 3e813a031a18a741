#include "experiments/worker/worker_process.h"

#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/text.h"

namespace reducelab {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    throw run_error("cannot start a worker process: pipe: {}", std::strerror(errno));
  }
  return {ends[0], ends[1]};
}

void close_end(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

/// The child's life; never returns into the parent's code, whose buffers and handlers it shares.
[[noreturn]] void live_as_child(pid_t parent, const RunSpec& spec, const Simulation& simulation,
                                int output, int errors) {
#ifdef __linux__
  // A worker whose parent is gone, however that went, has nobody to report to.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(static_cast<int>(ErrorCode::bug));
  // Libraries may print; that must neither mix with our output nor hide the one line about a crash.
  ::dup2(errors, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::_exit(serve_job(spec, simulation, output));
}

std::string_view first_line(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (!trim(line).empty()) return trim(line);
  }
  return {};
}

Error death(int status, std::string_view messages) {
  const bool by_signal = WIFSIGNALED(status);
  const int signal = by_signal ? WTERMSIG(status) : 0;
  // These come from outside: the kernel that is out of memory, a batch system, a person.
  const bool from_outside = signal == SIGKILL || signal == SIGTERM || signal == SIGINT;
  Error error(from_outside ? ErrorCode::failed : ErrorCode::bug,
              by_signal
                  ? fmt::format("the simulation process was killed by signal {} ({})", signal,
                                ::strsignal(signal))
                  : fmt::format("the simulation process ended with exit code {} and no result",
                                WEXITSTATUS(status)));
  if (signal == SIGKILL) {
    error.note("out of memory? try --data sampled, fewer ranks or a smaller -j");
  }
  if (const auto line = first_line(messages); !line.empty()) {
    error.note(fmt::format("it printed: {}", line));
  }
  if (!from_outside) error.note("all it prints: give the same job to reducelab worker");
  return error;
}

}  // namespace

WorkerProcess::WorkerProcess(const RunSpec& spec, const Simulation& simulation) {
  Pipe output = make_pipe();
  Pipe errors;
  try {
    errors = make_pipe();
  } catch (...) {
    close_end(output.read);
    close_end(output.write);
    throw;
  }
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) {
    ::close(output.read);
    ::close(errors.read);
    live_as_child(parent, spec, simulation, output.write, errors.write);
  }
  const int error = errno;
  close_end(output.write);
  close_end(errors.write);
  output_ = output.read;
  errors_ = errors.read;
  if (child_ < 0) {
    close_end(output_);
    close_end(errors_);
    throw run_error("cannot start a worker process: fork: {}", std::strerror(error));
  }
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      status_(other.status_),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      lines_(std::move(other.lines_)),
      messages_(std::move(other.messages_)) {}

WorkerProcess::~WorkerProcess() {
  close_end(output_);
  close_end(errors_);
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void WorkerProcess::take(int& descriptor, std::string& text) {
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      close_end(descriptor);
    } else {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return;
  }
}

bool WorkerProcess::ended() {
  if (child_ < 0) return true;
  const pid_t ended = ::waitpid(child_, &status_, WNOHANG);
  if (ended < 0 && errno != EINTR) {
    throw run_error("lost a worker process: {}", std::strerror(errno));
  }
  if (ended == child_) child_ = -1;
  return child_ < 0;
}

Outcome WorkerProcess::outcome() const {
  const bool crashed = WIFSIGNALED(status_);
  if (auto outcome = read_outcome(lines_); outcome && !crashed) return *std::move(outcome);
  return death(status_, messages_);
}

}  // namespace reducelab
