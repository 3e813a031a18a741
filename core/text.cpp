#include "core/text.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace reducelab {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Damerau-Levenshtein (optimal string alignment): a swap of two letters counts as one edit, a
/// difference in case as none.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  std::iota(cost[0].begin(), cost[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0u : 1u)});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word,
                              const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  if (word.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && 2 * distance <= candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

Error unknown_name(std::string_view kind, std::string_view word,
                   const std::vector<std::string_view>& candidates, SourceLocation where) {
  std::string message = fmt::format("unknown {} \"{}\"", kind, word);
  if (const auto near = nearest_name(word, candidates); !near.empty()) {
    message += fmt::format("; did you mean \"{}\"?", near);
  }
  Error error(ErrorCode::usage, std::move(message), std::move(where));
  if (!candidates.empty()) error.note(fmt::format("one of: {}", fmt::join(candidates, ", ")));
  return error;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace reducelab
