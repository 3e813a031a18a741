#include "experiments/importers/draft_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/importers/collective_factor.h"

namespace reducelab {
namespace {

/// So many lines of one kind of trouble are named; the rest is counted.
constexpr std::size_t kLinesNamed = 5;

std::string line_list(const std::vector<int>& lines) {
  const std::vector<int> named(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  lines.size(), kLinesNamed)));
  std::string text =
      fmt::format("{} {}", lines.size() == 1 ? "line" : "lines", fmt::join(named, ", "));
  if (lines.size() > kLinesNamed) text += fmt::format(" and {} more", lines.size() - kLinesNamed);
  return text;
}

void name_collective(const DraftRun& draft, const std::optional<FactorRange>& factor,
                     MeasuredRun& run) {
  run.collective = draft.collective;
  if (!run.collective.empty()) return;
  if (factor) run.collective = collective_from_factor(*factor, run.ranks, draft.rows.back().row);
  if (run.collective.empty()) {
    run.warnings.emplace_back(
        "the log does not name the collective and busbw/algbw does not show it");
  } else if (run.collective == "all_gather") {
    run.notes.emplace_back(
        "the log does not name the collective; busbw/algbw shows all_gather or alltoall (they "
        "print "
        "alike), taken as all_gather");
  } else {
    run.notes.push_back(fmt::format(
        "the log does not name the collective; taken as {} from busbw/algbw", run.collective));
  }
}

void count_ranks(const DraftRun& draft, MeasuredRun& run) {
  run.ranks = draft.last_rank + 1;
  if (draft.lines_of_rank_zero > 1) {
    run.warnings.push_back(fmt::format(
        "the device list has rank 0 {} times: several single-process tests ran at once (was "
        "nccl-tests built without MPI?)",
        draft.lines_of_rank_zero));
  }
  if (run.ranks == 0) return;
  if (draft.device_lines < run.ranks) {
    run.notes.push_back(fmt::format("the device list has {} of {} ranks: nodes unknown",
                                    draft.device_lines, run.ranks));
  } else if (draft.lines_with_host == draft.device_lines) {
    run.nodes = static_cast<int>(draft.hosts.size());
  }
}

void infer_ranks(const std::optional<FactorRange>& factor, MeasuredRun& run) {
  if (run.ranks > 0) return;
  if (factor) run.ranks = ranks_from_factor(run.collective, *factor);
  if (run.ranks > 0) {
    run.notes.push_back(fmt::format("no device list; {} ranks taken from busbw/algbw", run.ranks));
  } else {
    run.warnings.emplace_back(
        "the log has no device list, and busbw/algbw does not show the number of ranks");
  }
}

/// True if some algbw within the rounding of `half`, times `factor`, prints as its busbw.
bool busbw_matches(const PrintedHalf& half, double factor) {
  return factor_of(half).contains(factor);
}

void check_rows(const DraftRun& draft, MeasuredRun& run) {
  const std::optional<double> factor = bus_factor(run.collective, run.ranks);
  std::vector<int> bad_algbw;
  std::vector<int> bad_busbw;
  for (const ParsedRow& parsed : draft.rows) {
    if (!parsed.row.usable_for_fits()) continue;
    const auto any = [&](auto&& fails) {
      return std::any_of(parsed.printed.begin(), parsed.printed.end(), fails);
    };
    if (any([&](const PrintedHalf& h) { return !algbw_matches(parsed.row.bytes, h); })) {
      bad_algbw.push_back(parsed.row.line);
    }
    if (factor && any([&](const PrintedHalf& h) { return !busbw_matches(h, *factor); })) {
      bad_busbw.push_back(parsed.row.line);
    }
  }
  if (!bad_algbw.empty()) {
    run.warnings.push_back(
        fmt::format("{}: algbw is not size/time beyond rounding", line_list(bad_algbw)));
  }
  if (!bad_busbw.empty()) {
    run.warnings.push_back(
        fmt::format("{}: busbw is not algbw x {:.6g} ({} over {} ranks) beyond rounding",
                    line_list(bad_busbw), *factor, run.collective, run.ranks));
  }
}

void check_footer(const DraftRun& draft, MeasuredRun& run) {
  if (!draft.ended) {
    run.warnings.emplace_back("the log ends before the footer: the table may be cut short");
  }
  if (!draft.footer) return;
  run.footer_average_busbw = draft.footer->value;
  if (draft.lost_rows > 0 || run.aborted) return;  // then it cannot be reproduced
  double sum = 0;
  double rounding = 0;
  double cells = 0;
  for (const ParsedRow& parsed : draft.rows) {
    for (const PrintedHalf& half : parsed.printed) {
      sum += half.busbw_GBps.value;
      rounding += half.busbw_GBps.half_ulp;
      ++cells;
    }
  }
  const double mean = sum / cells;
  const double tolerance = rounding / cells + draft.footer->half_ulp;
  if (std::abs(mean - draft.footer->value) > tolerance) {
    run.warnings.push_back(fmt::format(
        "the footer says an average busbw of {:.6g} GB/s, but the rows have {:.6g}: rows "
        "may be missing or edited",
        draft.footer->value, mean));
  }
}

void report_row_quality(const DraftRun& draft, MeasuredRun& run) {
  std::vector<int> zero_size;
  std::vector<int> cut_short;
  std::vector<int> wrong;
  for (const ParsedRow& parsed : draft.rows) {
    const MeasuredRow& row = parsed.row;
    if (!row.usable_for_fits()) zero_size.push_back(row.line);
    if (parsed.cut_short) cut_short.push_back(row.line);
    for (const auto& half : {row.out_of_place, row.in_place}) {
      if (half && half->wrong.value_or(0) > 0 && (wrong.empty() || wrong.back() != row.line)) {
        wrong.push_back(row.line);
      }
    }
  }
  if (!zero_size.empty()) {
    run.notes.push_back(
        fmt::format("{}: size 0, kept but not used for fits or comparisons", line_list(zero_size)));
  }
  if (!cut_short.empty()) {
    run.warnings.push_back(fmt::format("{}: the second half is broken off; only the first is kept",
                                       line_list(cut_short)));
  }
  if (!wrong.empty()) {
    run.warnings.push_back(fmt::format("{}: the test found wrong elements", line_list(wrong)));
  }
  if (draft.lost_rows > 0) {
    run.warnings.push_back(
        fmt::format("{} of the skipped lines {} whose rest is lost", draft.lost_rows,
                    draft.lost_rows == 1 ? "is a piece of a row" : "are pieces of rows"));
  }
  if (draft.layout && draft.layout->host_time) {
    run.notes.emplace_back("times are host times (cputime), not device times");
  }
}

}  // namespace

MeasuredRun finish_run(DraftRun draft) {
  MeasuredRun run;
  run.software = draft.software;
  run.notes = draft.notes;
  run.warnings = draft.warnings;
  run.skipped_noise_lines = draft.noise_lines;
  run.aborted = !draft.failure.empty();
  run.abort_reason = draft.failure;
  if (run.aborted) {
    run.warnings.push_back(
        fmt::format("line {}: the test was aborted: {}", draft.failure_line, draft.failure));
  }
  const std::optional<FactorRange> factor = common_factor(draft.rows);
  count_ranks(draft, run);
  name_collective(draft, factor, run);
  infer_ranks(factor, run);
  check_rows(draft, run);
  report_row_quality(draft, run);
  check_footer(draft, run);
  if (run.skipped_noise_lines > 0) {
    run.notes.push_back(fmt::format("{} {} inside the table skipped", run.skipped_noise_lines,
                                    run.skipped_noise_lines == 1 ? "line" : "lines"));
  }
  for (ParsedRow& parsed : draft.rows) run.rows.push_back(std::move(parsed.row));
  return run;
}

}  // namespace reducelab
