#include "experiments/importers/nccl_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace reducelab {
namespace {

constexpr double kLongestTime_s = 1e7;
constexpr double kHighestRate_GBps = 1e9;
constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53: beyond it %g lost the count
constexpr double kMillisecond = 1e-3;
constexpr double kMicrosecond = 1e-6;

/// nccl-tests leaves the 32 columns of the first half blank when it times in-place calls only.
constexpr std::ptrdiff_t kBlankHalfWidth = 32;

using Words = std::span<const std::string_view>;

bool is_name(std::string_view word) {
  constexpr std::size_t kLongest = 24;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !word.empty() && word.size() <= kLongest && letter(word[0]) &&
         std::all_of(word.begin(), word.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_rank_label(std::string_view word) {
  if (word.size() < 2) return false;
  const bool bracketed = word.front() == '[' && word.back() == ']';
  if (!bracketed && word.back() != ':') return false;
  const std::string_view inside = word.substr(bracketed ? 1 : 0, word.size() - (bracketed ? 2 : 1));
  return !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<PrintedNumber> parse_rate(std::string_view word) {
  const auto number = parse_printed(word);
  if (!number || number->value < 0 || number->value > kHighestRate_GBps) return std::nullopt;
  return number;
}

/// False if the word can be no #wrong cell; sets `wrong` if it is a count.
bool parse_wrong(std::string_view word, bool error_column, std::optional<std::int64_t>& wrong) {
  if (word == "N/A") return true;
  if (word.ends_with('*')) word.remove_suffix(1);  // rccl-tests marks bad rows so
  const auto number = parse_printed(word);
  if (!number || number->value < 0) return false;
  if (error_column || word.find("e-") != std::string_view::npos) return true;
  if (number->value > kLargestExactCount || number->value != std::floor(number->value))
    return false;
  wrong = static_cast<std::int64_t>(number->value);
  return true;
}

bool parse_half(Words cells, const RowLayout& layout, std::int64_t bytes, MeasuredRow::Half& half,
                PrintedHalf& printed) {
  for (std::size_t i = 0; i < layout.half_columns.size(); ++i) {
    const std::string& column = layout.half_columns[i];
    if (column == "time" || column == "cputime") {
      const auto time = parse_printed(cells[i]);
      if (!time || time->value < 0 || (bytes > 0 && time->value == 0)) return false;
      printed.time_s = {time->value * layout.seconds_per_unit,
                        time->half_ulp * layout.seconds_per_unit};
      if (printed.time_s.value > kLongestTime_s) return false;
      half.time_s = printed.time_s.value;
    } else if (column == "algbw" || column == "busbw") {
      const auto rate = parse_rate(cells[i]);
      if (!rate) return false;
      (column == "algbw" ? printed.algbw_GBps : printed.busbw_GBps) = *rate;
      (column == "algbw" ? half.algbw_GBps : half.busbw_GBps) = rate->value;
    } else if (column == "#wrong") {
      if (!parse_wrong(cells[i], layout.error_column, half.wrong)) return false;
    }
  }
  return true;
}

/// A date printed by `-S`: two words, `2025-01-31 12:00:00`.
Words without_timestamp(Words cells) {
  if (cells.size() >= 2 && cells.back().find(':') != std::string_view::npos) {
    return cells.first(cells.size() - 2);
  }
  return cells;
}

std::optional<ParsedRow> parse_cells(Words cells, const RowLayout& layout) {
  ParsedRow parsed;
  MeasuredRow& row = parsed.row;
  if (cells.size() < 3) return std::nullopt;
  const auto bytes = parse_integer(cells[0]);
  const auto count = parse_integer(cells[1]);
  if (!bytes || !count || *bytes < 0 || *count < 0 || !is_name(cells[2])) return std::nullopt;
  row.bytes = *bytes;
  row.count = *count;
  row.type = cells[2];
  std::size_t next = 3;
  if (next < cells.size() && is_name(cells[next])) row.redop = cells[next++];
  if (layout.has_root) {
    const auto root = next < cells.size() ? parse_integer(cells[next]) : std::nullopt;
    if (!root || *root < -1 || *root > INT32_MAX) return std::nullopt;
    row.root = static_cast<int>(*root);
    ++next;
  }
  const std::string_view last_leading = cells[next - 1];
  cells = cells.subspan(next);
  if (layout.timestamp) cells = without_timestamp(cells);
  const std::size_t width = layout.half_columns.size();
  const std::size_t whole = cells.size() / width;
  parsed.cut_short = cells.size() % width != 0;
  if (whole == 0 || whole + (parsed.cut_short ? 1 : 0) > static_cast<std::size_t>(layout.halves)) {
    return std::nullopt;
  }
  for (std::size_t h = 0; h < whole; ++h) {
    MeasuredRow::Half half;
    PrintedHalf printed;
    if (!parse_half(cells.subspan(h * width, width), layout, row.bytes, half, printed)) {
      if (h == 0) return std::nullopt;
      parsed.cut_short = true;  // noise ran into the second half
      break;
    }
    (h == 0 ? row.out_of_place : row.in_place) = half;
    parsed.printed.push_back(printed);
  }
  // Both words view into one line, so their distance is the gap between the columns.
  const std::ptrdiff_t gap = cells[0].data() - (last_leading.data() + last_leading.size());
  if (layout.halves == 2 && whole == 1 && gap >= kBlankHalfWidth) {
    row.in_place.swap(row.out_of_place);
  }
  return parsed;
}

RowLayout make_layout(bool has_root, bool has_wrong, int halves) {
  RowLayout layout;
  layout.has_root = has_root;
  layout.halves = halves;
  layout.half_columns = {"time", "algbw", "busbw"};
  if (has_wrong) layout.half_columns.emplace_back("#wrong");
  return layout;
}

}  // namespace

std::optional<RowLayout> parse_column_header(std::string_view line) {
  const auto all = words(line);
  if (all.size() < 4 || !all[0].starts_with('#')) return std::nullopt;
  const auto cells = Words(all).subspan(all[0] == "#" ? 1 : 0);
  const auto is_time = [](std::string_view w) { return w == "time" || w == "cputime"; };
  const auto time = std::find_if(cells.begin(), cells.end(), is_time);
  const bool old_names = cells[0] == "bytes";
  if ((cells[0] != "size" && !old_names) || time == cells.end()) return std::nullopt;
  RowLayout layout;
  layout.has_root = std::find(cells.begin(), time, "root") != time;
  layout.halves = static_cast<int>(std::count_if(time, cells.end(), is_time));
  layout.host_time = *time == "cputime";
  layout.seconds_per_unit = old_names ? kMillisecond : kMicrosecond;
  for (auto cell = time; cell != cells.end(); ++cell) {
    if (cell != time && is_time(*cell)) break;
    if (*cell == "timestamp") continue;
    const bool error = *cell == "error" || *cell == "res";
    layout.error_column = layout.error_column || error;
    layout.half_columns.emplace_back(error || *cell == "wrong" ? "#wrong" : *cell);
  }
  layout.timestamp = cells.back() == "timestamp";
  const auto& columns = layout.half_columns;
  const bool complete = std::count(columns.begin(), columns.end(), "algbw") == 1 &&
                        std::count(columns.begin(), columns.end(), "busbw") == 1;
  return complete && layout.halves <= 2 ? std::optional(layout) : std::nullopt;
}

void apply_unit_line(std::string_view line, RowLayout& layout) {
  const auto cells = words(line);
  if (cells.size() < 3 || cells[0] != "#" || cells[1] != "(B)") return;
  if (std::find(cells.begin(), cells.end(), "(us)") != cells.end()) {
    layout.seconds_per_unit = kMicrosecond;
  } else if (std::find(cells.begin(), cells.end(), "(ms)") != cells.end()) {
    layout.seconds_per_unit = kMillisecond;
  }
}

std::optional<ParsedRow> parse_row(std::string_view line, const RowLayout* layout) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line[start] < '0' || line[start] > '9') {
    return std::nullopt;  // the cheap way out for most lines
  }
  auto cells = words(line);
  std::erase_if(cells, is_rank_label);
  if (layout != nullptr) return parse_cells(cells, *layout);
  for (const bool has_wrong : {true, false}) {
    for (const bool has_root : {true, false}) {
      const auto parsed = parse_cells(cells, make_layout(has_root, has_wrong, 2));
      if (parsed && !parsed->cut_short &&
          std::all_of(parsed->printed.begin(), parsed->printed.end(),
                      [&](const PrintedHalf& h) { return algbw_matches(parsed->row.bytes, h); })) {
        return parsed;
      }
    }
  }
  return std::nullopt;
}

bool is_row_fragment(std::string_view line) {
  const auto cells = words(line);
  if (cells.size() >= 3 && parse_integer(cells[0]) && parse_integer(cells[1]) &&
      is_name(cells[2])) {
    return true;
  }
  const auto is_cell = [](std::string_view w) { return w == "N/A" || parse_printed(w); };
  return cells.size() >= 3 && std::all_of(cells.begin(), cells.end(), is_cell);
}

bool algbw_matches(std::int64_t bytes, const PrintedHalf& half) {
  constexpr double kSlack = 1e-9;  // of the arithmetic here, not of the print
  const double size_GB = static_cast<double>(bytes) * 1e-9;
  const double longest_s = half.time_s.value + half.time_s.half_ulp;
  const double shortest_s = half.time_s.value - half.time_s.half_ulp;
  const double lowest = longest_s > 0 ? size_GB / longest_s : 0;
  const PrintedNumber& rate = half.algbw_GBps;
  if (rate.value + rate.half_ulp < lowest * (1 - kSlack)) return false;
  return shortest_s <= 0 || rate.value - rate.half_ulp <= size_GB / shortest_s * (1 + kSlack);
}

}  // namespace reducelab
