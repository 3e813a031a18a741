#include "experiments/worker/wall_limit.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string>

#include "core/units.h"

namespace reducelab {
namespace {

// What the signal's handler needs: it may neither allocate nor lock.
std::string last_words;
int last_output = -1;

extern "C" void end_of_time(int) {
  const char* rest = last_words.data();
  std::size_t left = last_words.size();
  while (left > 0) {
    const ssize_t wrote = ::write(last_output, rest, left);
    if (wrote <= 0) break;
    rest += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
  ::_exit(static_cast<int>(ErrorCode::failed));
}

void set_timer(double after_s) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(std::floor(after_s));
  timer.it_value.tv_usec = static_cast<suseconds_t>((after_s - std::floor(after_s)) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

Error wall_limit_error(double limit_s) {
  return run_error("the simulation was stopped: it took longer than the wall limit of {}",
                   format_duration(limit_s))
      .note(
          "raise --wall-limit, or simulate less: --data none, --engine flow, fewer ranks, larger "
          "slices or messages");
}

WallLimit::WallLimit(double limit_s, int output) {
  last_words = "{\"event\":\"error\",\"error\":" + wall_limit_error(limit_s).to_json() + "}\n";
  last_output = output;
  struct sigaction action {};
  action.sa_handler = end_of_time;
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
  constexpr double kLeast_s = 1e-6;  // 0 would mean never
  constexpr double kMost_s = 1e9;
  set_timer(std::clamp(limit_s, kLeast_s, kMost_s));
}

WallLimit::~WallLimit() {
  set_timer(0);
}

}  // namespace reducelab
