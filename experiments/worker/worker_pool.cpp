#include "experiments/worker/worker_pool.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <vector>

#include "experiments/worker/worker_process.h"

namespace reducelab {
namespace {

struct RunningJob {
  std::size_t index;
  WorkerProcess process;
};

/// Sleeps until a worker has written or ended, and takes in what there is.
void wait_for_news(std::list<RunningJob>& running) {
  std::vector<pollfd> waits;
  for (const RunningJob& job : running) {
    // A negative descriptor is one that poll passes over.
    waits.push_back({job.process.output(), POLLIN, 0});
    waits.push_back({job.process.errors(), POLLIN, 0});
  }
  if (::poll(waits.data(), waits.size(), -1) < 0) {
    if (errno == EINTR) return;
    throw run_error("cannot wait for workers: {}", std::strerror(errno));
  }
  std::size_t next = 0;
  for (RunningJob& job : running) {
    if (waits[next++].revents != 0) job.process.read_output();
    if (waits[next++].revents != 0) job.process.read_errors();
  }
}

}  // namespace

void run_in_workers(std::span<const RunSpec> jobs, int at_once, const Simulation& simulation,
                    const PoolListener& listener) {
  const auto most = static_cast<std::size_t>(std::max(at_once, 1));
  std::list<RunningJob> running;
  std::map<std::size_t, Outcome> early;  // ended before one that comes first
  std::size_t started = 0;
  std::size_t finished = 0;
  std::size_t told = 0;
  while (told < jobs.size()) {
    while (started < jobs.size() && running.size() < most) {
      running.push_back({started, WorkerProcess(jobs[started], simulation)});
      ++started;
    }
    wait_for_news(running);
    for (auto job = running.begin(); job != running.end();) {
      if (!job->process.closed()) {
        ++job;
        continue;
      }
      const auto& entry = *early.emplace(job->index, job->process.finish()).first;
      if (std::holds_alternative<RunResult>(entry.second)) {
        std::fputs(job->process.messages().c_str(), stderr);
      }
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

Outcome run_in_worker(const RunSpec& job, const Simulation& simulation) {
  std::optional<Outcome> outcome;
  run_in_workers({&job, 1}, 1, simulation,
                 {[&](std::size_t, const Outcome& result) { outcome = result; }, {}});
  return *std::move(outcome);
}

}  // namespace reducelab
