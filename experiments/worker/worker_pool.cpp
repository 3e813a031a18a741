#include "experiments/worker/worker_pool.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "experiments/worker/worker_process.h"

namespace reducelab {
namespace {

using Clock = std::chrono::steady_clock;

struct RunningJob {
  std::size_t index;
  Clock::time_point deadline;
  WorkerProcess process;
};

/// Sleeps until a worker has written or ended or its time is up, and takes in what there is.
void wait_for_news(std::list<RunningJob>& running) {
  // A child closes its pipes an instant before its end can be seen.
  constexpr auto kAfterClosing = std::chrono::milliseconds(1);
  constexpr auto kMostAtOnce = std::chrono::milliseconds(60'000);
  auto wait = Clock::duration(kMostAtOnce);
  const auto now = Clock::now();
  std::vector<pollfd> waits;
  for (const RunningJob& job : running) {
    // A negative descriptor is one that poll passes over.
    waits.push_back({job.process.output(), POLLIN, 0});
    waits.push_back({job.process.errors(), POLLIN, 0});
    wait = std::min(wait, job.process.closed() ? kAfterClosing : job.deadline - now);
  }
  const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  if (::poll(waits.data(), waits.size(), static_cast<int>(std::max<long>(wait_ms, 0))) < 0) {
    if (errno == EINTR) return;
    throw run_error("cannot wait for workers: {}", std::strerror(errno));
  }
  std::size_t next = 0;
  for (RunningJob& job : running) {
    if (waits[next++].revents != 0) job.process.read_output();
    if (waits[next++].revents != 0) job.process.read_errors();
  }
}

/// What became of a job, if anything has yet.
std::optional<Outcome> news_of(RunningJob& job, double wall_limit_s) {
  if (job.process.closed() && job.process.ended()) {
    Outcome outcome = job.process.outcome();
    if (std::holds_alternative<RunResult>(outcome)) {
      std::fputs(job.process.messages().c_str(), stderr);
    }
    return outcome;
  }
  if (Clock::now() >= job.deadline) return wall_limit_error(wall_limit_s);
  return std::nullopt;
}

}  // namespace

void run_in_workers(std::span<const RunSpec> jobs, int at_once, const Simulation& simulation,
                    const PoolListener& listener, double wall_limit_s) {
  constexpr double kMostWallLimit_s = 1e9;  // what a clock can add
  const auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(wall_limit_s, kMostWallLimit_s)));
  const auto most = static_cast<std::size_t>(std::max(at_once, 1));
  std::list<RunningJob> running;
  std::map<std::size_t, Outcome> early;  // ended before one that comes first
  std::size_t started = 0;
  std::size_t finished = 0;
  std::size_t told = 0;
  while (told < jobs.size()) {
    while (started < jobs.size() && running.size() < most) {
      running.push_back({started, Clock::now() + limit, WorkerProcess(jobs[started], simulation)});
      ++started;
    }
    wait_for_news(running);
    for (auto job = running.begin(); job != running.end();) {
      std::optional<Outcome> outcome = news_of(*job, wall_limit_s);
      if (!outcome) {
        ++job;
        continue;
      }
      early.emplace(job->index, *std::move(outcome));
      // Kills it if its time is up.
      job = running.erase(job);
      ++finished;
      if (listener.on_progress) listener.on_progress(finished);
    }
    for (auto next = early.begin(); next != early.end() && next->first == told;
         next = early.erase(next)) {
      ++told;
      listener.on_outcome(next->first, next->second);
    }
  }
}

Outcome run_in_worker(const RunSpec& job, const Simulation& simulation, double wall_limit_s) {
  std::optional<Outcome> outcome;
  run_in_workers({&job, 1}, 1, simulation,
                 {[&](std::size_t, const Outcome& result) { outcome = result; }, {}}, wall_limit_s);
  return *std::move(outcome);
}

}  // namespace reducelab
