#include "experiments/importers/log_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.h"

namespace reducelab {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

/// Length of a `Thu Jul 18 15:41:05 2024` that ends `text`, or 0.
std::size_t trailing_date(std::string_view text) {
  constexpr std::size_t kLength = 24;
  if (text.size() < kLength) return 0;
  const std::string_view date = text.substr(text.size() - kLength);
  const bool shaped = date[3] == ' ' && date[7] == ' ' && date[10] == ' ' && date[13] == ':' &&
                      date[16] == ':' && date[19] == ' ' && digits_at(date, 20) == 4;
  return shaped ? kLength : 0;
}

/// Where the label that ends in `<stdout>:` at `tag` begins.
std::size_t label_begin(std::string_view line, std::size_t tag) {
  constexpr std::size_t kLongestBracket = 96;
  std::size_t begin = tag;
  if (tag > 0 && line[tag - 1] == ']') {
    const std::size_t from = tag - std::min(tag, kLongestBracket);
    const std::size_t open = line.substr(from, tag - from).rfind('[');
    if (open != std::string_view::npos) begin = from + open;
  }
  return begin - trailing_date(line.substr(0, begin));
}

std::string without_stream_tags(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t tag = line.find("<std", at);
    if (tag == std::string_view::npos) {
      out += line.substr(at);
      break;
    }
    const std::string_view rest = line.substr(tag);
    std::size_t length = 0;
    for (const std::string_view name : {"<stdout>:", "<stderr>:", "<stdout>", "<stderr>"}) {
      if (length == 0 && rest.starts_with(name)) length = name.size();
    }
    if (length == 0) {
      out += line.substr(at, tag + 1 - at);
      at = tag + 1;
      continue;
    }
    out += line.substr(at, std::max(at, label_begin(line, tag)) - at);
    out += ' ';  // the pieces of a row must not grow together
    at = tag + length;
  }
  return out;
}

/// Length of a rank label at the start of `text` (which has no leading blanks), or 0.
std::size_t leading_label(std::string_view text) {
  constexpr std::size_t kMostRankDigits = 7;
  constexpr std::size_t kLongestHost = 64;
  const bool bracketed = text.starts_with('[');
  const std::size_t from = bracketed ? 1 : 0;
  const std::size_t digits = digits_at(text, from);
  if (digits > 0 && digits <= kMostRankDigits) {
    const std::size_t end = from + digits;
    const char close = bracketed ? ']' : ':';
    if (end < text.size() && text[end] == close) {
      if (end + 1 == text.size() || is_blank(text[end + 1])) return end + 1;
    }
  }
  // "node001: # ..." or "node001:   1024 ...", but not "node001: Test NCCL failure".
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > kLongestHost) return 0;
  if (std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                  [](char c) { return is_blank(c) || c == '#'; })) {
    return 0;
  }
  const std::size_t next = text.find_first_not_of(" \t", colon + 1);
  if (next == std::string_view::npos || next == colon + 1) return 0;
  return text[next] == '#' || is_digit(text[next]) ? colon + 1 : 0;
}

}  // namespace

std::string without_launcher_prefixes(std::string_view line) {
  std::string untagged = without_stream_tags(line);
  std::string_view rest = untagged;
  for (;;) {
    const std::size_t start = rest.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) return {};
    const std::size_t label = leading_label(rest.substr(start));
    if (label == 0) break;
    rest.remove_prefix(start + label);
  }
  return std::string(rest);
}

std::vector<std::string_view> words(std::string_view line, std::size_t limit) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < line.size() && found.size() < limit;) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end])) ++end;
    found.push_back(line.substr(at, end - at));
    at = end;
  }
  return found;
}

std::optional<PrintedNumber> parse_printed(std::string_view word) {
  PrintedNumber number;
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, number.value);
  if (word.empty() || problem != std::errc{} || stop != end || !std::isfinite(number.value)) {
    return std::nullopt;
  }
  const std::size_t mantissa_end = std::min(word.find_first_of("eE"), word.size());
  const std::size_t point = word.substr(0, mantissa_end).find('.');
  const auto decimals =
      point == std::string_view::npos ? 0 : static_cast<int>(mantissa_end - point - 1);
  int exponent = 0;
  if (mantissa_end < word.size()) {
    std::string_view digits = word.substr(mantissa_end + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  number.half_ulp = 0.5 * std::pow(10.0, exponent - decimals);
  return number;
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, value);
  if (word.empty() || problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string quoted(std::string_view line) {
  constexpr std::size_t kLongest = 160;
  std::string out;
  for (const char c : trim(line)) {
    if (out.size() == kLongest) return out + "...";
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  return out;
}

}  // namespace reducelab
