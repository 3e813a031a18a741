#include "algorithms/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "algorithms/verify/contents.h"
#include "algorithms/verify/deadlock.h"
#include "algorithms/verify/matching.h"
#include "algorithms/verify/participant_programs.h"
#include "algorithms/verify/races.h"
#include "algorithms/verify/steps.h"
#include "algorithms/verify/traffic.h"
#include "core/error.h"

namespace reducelab {
namespace {

/// The connections from which each participant reduces: its children, in each tree.
std::vector<int> count_children(const World& world, const ExecutionLog& log) {
  std::vector<std::set<std::uint32_t>> children(
      static_cast<std::size_t>(world.ranks + world.extras));
  for (const LoggedOp& op : log.ops()) {
    if (op.kind == OpKind::recv_reduce) {
      children[static_cast<std::size_t>(op.participant)].insert(op.connection);
    }
  }
  std::vector<int> counts;
  for (const auto& set : children) counts.push_back(static_cast<int>(set.size()));
  return counts;
}

void check_fan_in(const World& world, const VerifyOptions& options, const VerifyReport& report,
                  FindingList& findings) {
  if (options.most_children == 0) return;
  for (std::size_t i = 0; i < report.children.size(); ++i) {
    if (report.children[i] <= options.most_children) continue;
    const int participant = static_cast<int>(i);
    findings.error("V8", participant,
                   fmt::format("{} has {} children to reduce from; at most {} are allowed",
                               participant_name(world, participant), report.children[i],
                               options.most_children));
  }
}

void fill_costs(const World& world, Execution& run, const ExecutionLog& log, std::uint32_t steps,
                VerifyReport& report) {
  report.messages = run.messages();
  report.steps = steps;
  report.bytes_sent = run.bytes_sent();
  report.bytes_received = run.bytes_received();
  report.children = count_children(world, log);
  for (int id = 0; id < world.ranks + world.extras; ++id) {
    const ScratchSizes& sizes = *run.scratch_counter(id);
    report.scratch_bytes.push_back(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) *
                                   world.element_bytes);
  }
  if (world.ranks < 2) return;
  const auto ranks_end = report.bytes_sent.begin() + world.ranks;
  const double vector_bytes = static_cast<double>(world.count) * world.element_bytes;
  if (world.count > 0) {
    report.bytes_over_bound =
        static_cast<double>(*std::max_element(report.bytes_sent.begin(), ranks_end)) /
        (2 * vector_bytes * (world.ranks - 1) / world.ranks);
  }
  report.steps_over_bound =
      static_cast<double>(report.steps) / std::bit_width(static_cast<unsigned>(world.ranks - 1));
}

/// Runs the programs, explains a deadlock, and checks whatever run completes.
void check_run(const World& world, const ParticipantPrograms& programs,
               const VerifyOptions& options, const std::set<std::int64_t>& sizes,
               VerifyReport& report, FindingList& findings) {
  ExecutionLimits limits{options.window, -1};
  for (int attempt = 0; attempt < 2; ++attempt) {
    ExecutionLog log(world);
    TrialRun trial(world, limits);
    trial.execution().observe(log);
    const std::vector<BlockedParticipant> blocked = trial.run(programs);
    if (!blocked.empty()) {
      const ExecutionLimits remedy =
          explain_deadlock(world, programs, limits, sizes, blocked, findings);
      if (remedy == limits) return;
      limits = remedy;
      continue;
    }
    std::vector<ScratchSizes> scratch;
    for (int id = 0; id < world.ranks + world.extras; ++id) {
      scratch.push_back(*trial.execution().scratch_counter(id));
    }
    const HazardEdges hazards(log);
    fill_costs(world, trial.execution(), log, number_steps(log, hazards), report);
    check_contents(world, options, log, scratch, findings);
    check_races(world, log, hazards, findings);
    check_traffic(world, log, findings);
    check_fan_in(world, options, report, findings);
    return;
  }
}

}  // namespace

std::int64_t VerifyReport::total_bytes() const {
  return std::accumulate(bytes_sent.begin(), bytes_sent.end(), std::int64_t{0});
}

std::string VerifyReport::text() const {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{} {}: {}\n", finding.id,
                        finding.severity == Finding::Severity::error ? "error" : "warning",
                        finding.message);
  }
  return text;
}

std::string range_name(const Range& range) {
  return fmt::format(
      "[{}, {}){}", range.first, range.end(),
      range.buffer == 0 ? std::string() : fmt::format(" of scratch {}", range.buffer));
}

VerifyReport verify_participants(const World& world, const ParticipantPrograms& programs,
                                 const VerifyOptions& options) {
  VerifyReport report;
  FindingList findings(options.most_findings_per_id);
  const std::set<std::int64_t> sizes = check_matching(world, programs, findings);
  if (!findings.has_errors()) {
    try {
      check_run(world, programs, options, sizes, report, findings);
    } catch (const Error& error) {
      // The programs match, but not in the order in which this run posted them.
      findings.error("V1", -1, error.what());
    }
  }
  report.has_errors = findings.has_errors();
  report.finding_counts = findings.counts();
  report.findings = findings.take();
  return report;
}

VerifyReport verify(const World& world, const ProgramFactory& programs,
                    const VerifyOptions& options) {
  const ParticipantPrograms participants = [&](int id, ScratchSizes* scratch) {
    return programs(Rank(world, id, scratch));
  };
  return verify_participants(world, participants, options);
}

}  // namespace reducelab
