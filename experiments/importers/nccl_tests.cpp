#include "experiments/importers/nccl_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "experiments/importers/collective_factor.h"
#include "experiments/importers/draft_run.h"
#include "experiments/importers/log_lines.h"

namespace reducelab {
namespace {

constexpr std::size_t kLongestLine = 64 * 1024;
constexpr std::int64_t kMostRanks = 10'000'000;

bool has(std::string_view line, std::string_view phrase) {
  return line.find(phrase) != std::string_view::npos;
}

bool is_failure(std::string_view line) {
  constexpr std::array<std::string_view, 4> kMarks{"Test NCCL failure", "Test CUDA failure",
                                                   "Test failure", "Test HIP failure"};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return has(line, mark); });
}

/// `22707` -> 2.27.7; before 2.9 the code was 1000 major + 100 minor + patch (nccl.h).
std::string version_from_code(std::int64_t code) {
  constexpr std::int64_t kFirstLongCode = 10'000;
  const std::int64_t major = code >= kFirstLongCode ? code / 10'000 : code / 1000;
  const std::int64_t minor = code >= kFirstLongCode ? code / 100 % 100 : code / 100 % 10;
  return fmt::format("{}.{}.{}", major, minor, code % 100);
}

/// The library version that a line prints, or "".
std::string software_in(std::string_view line) {
  for (const std::string_view name : {"RCCL", "NCCL"}) {
    const std::size_t at = line.find(fmt::format("{} version", name));
    if (at == std::string_view::npos) continue;
    const auto rest = words(line.substr(at), 4);
    const std::size_t value = rest.size() > 2 && rest[2] == ":" ? 3 : 2;
    if (rest.size() > value && rest[value][0] >= '0' && rest[value][0] <= '9') {
      return fmt::format("{} {}", name, quoted(rest[value]));
    }
  }
  constexpr std::string_view kCode = "nccl-library=";
  if (const std::size_t at = line.find(kCode); at != std::string_view::npos) {
    const auto rest = words(line.substr(at + kCode.size()), 1);
    const auto code = rest.empty() ? std::nullopt : parse_integer(rest[0]);
    if (code && *code > 1000) return "NCCL " + version_from_code(*code);
  }
  return {};
}

/// Reads a log line by line into runs.
class LogReader {
 public:
  explicit LogReader(std::string file_name) : file_name_(std::move(file_name)) {}

  void read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_number_;
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::vector<MeasuredRun> finish() {
    close_run();
    if (runs_.empty()) throw no_table();
    for (std::string& warning : rowless_) runs_.front().warnings.push_back(std::move(warning));
    return std::move(runs_);
  }

 private:
  void read_line(std::string_view raw) {
    if (raw.size() > kLongestLine) {
      if (in_table()) ++draft_.noise_lines;
      return;
    }
    const std::string line = without_launcher_prefixes(raw);
    const std::string_view content = trim(line);
    if (content.empty() || content.starts_with("##")) return;  // ours: notes above a stored log
    if (read_footer(content)) return;
    if (content.starts_with('#')) {
      read_comment(content);
    } else if (starts_test(content)) {
      begin_run();
      name_collective(content);
    } else if (is_failure(content)) {
      note_failure(content);
    } else if (auto row = parse_row(line, draft_.layout ? &*draft_.layout : nullptr)) {
      add_row(std::move(*row));
    } else {
      read_other(content);
    }
  }

  static bool starts_test(std::string_view line) {
    if (!line.starts_with('#')) return line.starts_with("nThread ");  // as printed in 2017
    return has(line, "nThread ") || has(line, "nGpus") || has(line, "Collective test starting");
  }

  void read_comment(std::string_view line) {
    if (const auto layout = parse_column_header(line)) {
      if (!draft_.rows.empty()) begin_run();
      draft_.layout = layout;
    } else if (starts_test(line) || has(line, "# Using devices")) {
      begin_run();
      name_collective(line);
    } else if (has(line, "Collective test concluded")) {
      name_collective(line);
    } else if (has(line, "Reducing maxBytes")) {
      draft_.notes.push_back(fmt::format("line {}: {}", line_number_, quoted(line)));
    } else if (has(line, "# error:")) {
      warn(quoted(line));
    } else if (!read_device(line)) {
      if (draft_.layout && draft_.rows.empty()) apply_unit_line(line, *draft_.layout);
      note_software(line);
    }
  }

  bool read_device(std::string_view line) {
    const auto cells = words(line, 16);
    if (cells.size() < 4 || cells[1] != "Rank") return false;
    const auto rank = parse_integer(cells[2]);
    if (!rank || *rank < 0 || *rank >= kMostRanks) return false;
    ++draft_.device_lines;
    draft_.last_rank = std::max(draft_.last_rank, static_cast<int>(*rank));
    if (*rank == 0) ++draft_.lines_of_rank_zero;
    const auto on = std::find(cells.begin(), cells.end(), "on");
    if (on != cells.end() && on + 1 != cells.end()) {
      ++draft_.lines_with_host;
      draft_.hosts.emplace(*(on + 1));
    }
    return true;
  }

  /// The last lines of a test; before 2019 they did not begin with `#`.
  bool read_footer(std::string_view line) {
    const bool bounds = has(line, "Out of bounds values");
    if (!bounds && !has(line, "Avg bus bandwidth")) return false;
    draft_.ended = true;
    if (bounds) {
      if (has(line, "FAILED")) warn(quoted(line));
      return true;
    }
    const auto cells = words(line.substr(std::min(line.find(':'), line.size() - 1) + 1), 1);
    if (!cells.empty()) draft_.footer = parse_printed(cells[0]);
    return true;
  }

  void read_other(std::string_view line) {
    note_software(line);
    if (in_table()) {
      ++draft_.noise_lines;
      if (is_row_fragment(line)) ++draft_.lost_rows;
      return;
    }
    if (!collective_named_in(line).empty()) {
      if (draft_.ended) begin_run();
      name_collective(line);
    }
  }

  void add_row(ParsedRow row) {
    if (draft_.ended) begin_run();  // rows after a footer belong to the next test
    row.row.line = line_number_;
    draft_.rows.push_back(std::move(row));
  }

  void note_failure(std::string_view line) {
    if (!draft_.failure.empty()) return;
    draft_.failure = quoted(line);
    draft_.failure_line = line_number_;
  }

  void note_software(std::string_view line) {
    if (draft_.software.empty()) draft_.software = software_in(line);
  }

  void name_collective(std::string_view line) {
    if (draft_.collective.empty()) draft_.collective = collective_named_in(line);
  }

  void warn(const std::string& text) {
    draft_.warnings.push_back(fmt::format("line {}: {}", line_number_, text));
  }

  bool in_table() const { return draft_.has_table() && !draft_.ended; }

  /// A new test begins here, unless the lines so far were only the preamble of this one.
  void begin_run() {
    if (draft_.has_table() || draft_.ended || !draft_.failure.empty()) close_run();
  }

  void close_run() {
    DraftRun draft = std::exchange(draft_, DraftRun{});
    if (!draft.failure.empty() && first_failure_.empty()) {
      first_failure_ = fmt::format("line {}: {}", draft.failure_line, draft.failure);
    }
    saw_header_ = saw_header_ || draft.layout.has_value();
    if (!draft.rows.empty()) {
      runs_.push_back(finish_run(std::move(draft)));
    } else if (!draft.failure.empty()) {
      rowless_.push_back(
          fmt::format("line {}: a test failed before its first row and is left out: {}",
                      draft.failure_line, draft.failure));
    } else if (draft.has_table()) {
      rowless_.push_back(
          fmt::format("a table that ends at line {} has no rows and is left out", line_number_));
    }
  }

  Error no_table() const {
    Error error(ErrorCode::usage,
                saw_header_ ? "the nccl-tests table has a column header but no rows"
                            : "no nccl-tests table found",
                {file_name_, 0, 0});
    if (!first_failure_.empty()) error.note("the test failed: " + first_failure_);
    error.note(
        "looked for a header \"# size count type redop ...\" (or \"# bytes N type op ...\") and "
        "rows "
        "\"1048576 262144 float sum -1 82.17 12.76 24.73 0\"");
    return error;
  }

  std::string file_name_;
  int line_number_ = 0;
  DraftRun draft_;
  std::vector<MeasuredRun> runs_;
  std::vector<std::string> rowless_;
  std::string first_failure_;
  bool saw_header_ = false;
};

}  // namespace

std::vector<MeasuredRun> parse_nccl_tests_log(std::string_view text, std::string file_name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    Error error(ErrorCode::usage, "the file is UTF-16, not plain text",
                {std::move(file_name), 0, 0});
    throw error.note("convert it first: iconv -f UTF-16 -t UTF-8");
  }
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  LogReader reader(std::move(file_name));
  reader.read(text);
  return reader.finish();
}

}  // namespace reducelab
