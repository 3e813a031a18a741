#include "sim/run/cluster_run.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>

#include "core/files.h"
#include "core/units.h"
#include "sim/flow/flow_network.h"
#include "sim/guard.h"
#include "sim/run/attempt.h"
#include "sim/run/disturbances.h"
#include "sim/simgrid/simgrid_network.h"
#include "sim/trace/chrome_trace.h"
#include "sim/trace/explain.h"

namespace reducelab {
namespace {

constexpr int kTagShift = 56;
constexpr std::uint64_t kDisturbanceTag = std::uint64_t{0xff} << kTagShift;
constexpr std::uint64_t kMostAttempts = 0xff;

class ClusterRun final : public NetworkEvents, private Disturbances::Listener {
 public:
  explicit ClusterRun(const Job& job)
      : job_(job),
        network_(job.spec.engine == "simgrid" ? make_simgrid_network(job, *this)
                                              : make_flow_network(job, *this)),
        disturbances_(job, *network_, kDisturbanceTag, *this),
        mode_(job.spec.data == DataMode::automatic ? choose_data_mode(job) : job.spec.data) {}

  void run(RunResult& result) {
    try_job(job_, 0);
    disturbances_.begin();
    network_->run();
    if (!finished_) attempt_->execution().require_complete();
    fill(result);
  }

  void timer_fired(std::uint64_t token) override {
    dispatch(token, [token](auto& user) { user.timer_fired(token); });
  }
  void flow_finished(std::uint64_t token) override {
    dispatch(token, [token](auto& user) { user.flow_finished(token); });
  }
  void come_soon(std::span<const std::uint64_t> tokens) override {
    const auto ours = [this](std::uint64_t token) { return (token & kTokenTagMask) == tag_; };
    if (std::all_of(tokens.begin(), tokens.end(), ours)) attempt_->come_soon(tokens);
  }

 private:
  template <class Call>
  void dispatch(std::uint64_t token, Call call) {
    if (finished_) return;
    if ((token & kTokenTagMask) == tag_) {
      call(*attempt_);
      if (attempt_->done()) {
        finished_ = true;
        disturbances_.stop();
      }
    } else if ((token & kTokenTagMask) == kDisturbanceTag) {
      call(disturbances_);
    }
  }

  void try_job(const Job& job, double at_s) {
    if (attempts_ == kMostAttempts) throw run_error("more than {} failures", attempts_ - 1);
    tag_ = attempts_++ << kTagShift;
    if (attempt_) past_.push_back(std::move(attempt_));
    const bool recorded = job_.spec.explain || !job_.spec.trace_file.empty();
    attempt_ = std::make_unique<Attempt>(job, *network_, tag_, mode_, recorded);
    attempt_->begin(at_s);
  }

  void failure_detected(const ResolvedFailure& failure) override {
    const FailurePolicy& policy = job_.scenario.failure_policy;
    const Job& job = attempt_->job();
    std::vector<int> failed;
    for (int i = 0; i < static_cast<int>(job.placement.size()); ++i) {
      const DeviceId device = job.placement[static_cast<std::size_t>(i)];
      if (std::ranges::find(failure.devices, device) != failure.devices.end()) failed.push_back(i);
    }
    if (policy.response == FailureResponse::abort || failed.empty()) {
      throw stuck("a failure was detected", failed);
    }
    network_->cancel_flows(tag_);
    const double resumed_at_s = network_->now() + policy.restart_cost_s;
    Recovery recovery;
    recovery.response = name_of(policy.response);
    for (const int participant : failed) recovery.failed.push_back(name_in_spec(job, participant));
    recovery.failed_at_s = failure.at_s;
    recovery.detected_at_s = network_->now();
    recovery.resumed_at_s = resumed_at_s;
    switch (policy.response) {
      case FailureResponse::abort:
      case FailureResponse::restart:
        disturbances_.repair(failure.links);
        try_job(job, resumed_at_s);
        break;
      case FailureResponse::shrink:
        try_job(changed_jobs_.emplace_back(without(job, failed)), resumed_at_s);
        break;
      case FailureResponse::spare: {
        const auto first = job_.scenario.spares.begin() + static_cast<std::ptrdiff_t>(used_spares_);
        used_spares_ += failed.size();
        try_job(changed_jobs_.emplace_back(
                    with_replacements(job, failed, {first, job_.scenario.spares.end()})),
                resumed_at_s);
        break;
      }
    }
    recovery.ranks = attempt_->job().world.ranks;
    recoveries_.push_back(std::move(recovery));
  }

  void links_given_up() override { throw stuck("links stayed down", {}); }

  /// The error of a run that is given up now: who cannot go on, and whom they wait for.
  Error stuck(std::string_view why, const std::vector<int>& failed) const {
    const FailurePolicy& policy = job_.scenario.failure_policy;
    Error error = run_error("{} after {} (timeout {}): the run was aborted", why,
                            format_duration(network_->now()), format_duration(policy.timeout_s));
    for (const int participant : failed) {
      error.note(name_in_spec(attempt_->job(), participant) + " has failed");
    }
    const auto blocked = attempt_->execution().blocked();
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < blocked.size() && i < kShown; ++i) {
      error.note(name_in_spec(attempt_->job(), blocked[i].participant) + " " + blocked[i].reason);
    }
    if (blocked.size() > kShown) error.note(fmt::format("and {} more", blocked.size() - kShown));
    return error;
  }

  /// The name that a participant had at the start.
  static std::string name_in_spec(const Job& job, int participant) {
    if (participant >= job.world.ranks) return participant_name(job.world, participant);
    return fmt::format("rank {}", job.identity[static_cast<std::size_t>(participant)]);
  }

  void fill(RunResult& result) {
    const Job& job = attempt_->job();
    const Execution& execution = attempt_->execution();
    execution.require_complete();
    result.network_model = job_.spec.engine == "simgrid" ? simgrid_model_name() : flow_model_name();
    result.time_s = attempt_->end_s();
    result.messages = execution.messages();
    result.steps = execution.steps();
    const auto& sent = execution.bytes_sent();
    result.bytes_sent = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
    result.recoveries = recoveries_;
    const std::vector<double> link_bytes = attempt_->fabric().link_bytes();
    require_possible(job, {.took_s = result.time_s - attempt_->begin_s(),
                           .bytes_sent = sent,
                           .bytes_received = execution.bytes_received(),
                           .steps = result.steps,
                           .least_latency_s = attempt_->fabric().least_latency_s(),
                           .link_bytes = link_bytes});
    if (TraceRecorder* recorder = attempt_->recorder()) {
      Trace trace = recorder->take();
      trace.lost_s = attempt_->begin_s();
      const std::vector<double>& others = disturbances_.link_bytes();
      for (std::size_t i = 0; i < others.size(); ++i) trace.link_bytes[i] += others[i];
      if (job_.spec.explain) result.explanation = explain(trace);
      if (!job_.spec.trace_file.empty()) {
        write_file_atomically(job_.spec.trace_file, chrome_trace(trace));
      }
    }
    if (DataPlane* data = attempt_->data()) check_data(*data, result);
  }

  void check_data(DataPlane& data, RunResult& result) const {
    data.check(result);
    if (result.verified == false) {
      throw run_error(
          "{} gives a wrong result: {} of {} checked elements per rank are off, at most by {:.3g}",
          job_.spec.algorithm, result.wrong, result.checked_elements, result.max_abs_error);
    }
    if (job_.algorithm->identical_ranks && !result.ranks_identical) {
      throw run_error("{} promises the same bits on every rank, but they differ",
                      job_.spec.algorithm);
    }
  }

  const Job& job_;
  std::unique_ptr<Network> network_;
  Disturbances disturbances_;
  DataMode mode_;
  std::deque<Job> changed_jobs_;  ///< after failures; attempts refer to them
  std::unique_ptr<Attempt> attempt_;
  std::vector<std::unique_ptr<Attempt>> past_;  ///< may be further up the stack
  std::uint64_t attempts_ = 0;
  std::uint64_t tag_ = 0;
  std::size_t used_spares_ = 0;
  std::vector<Recovery> recoveries_;
  bool finished_ = false;
};

}  // namespace

void run_on_cluster(const Job& job, RunResult& result) {
  ClusterRun(job).run(result);
}

}  // namespace reducelab
