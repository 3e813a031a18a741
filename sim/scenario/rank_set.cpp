#include "sim/scenario/rank_set.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {
namespace {

int parse_rank(std::string_view text, std::string_view whole) {
  int rank = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (code != std::errc{} || end != text.data() + text.size() || text.front() == '-') {
    throw usage_error("cannot read \"{}\" as ranks; write them like 3, 0-3, 0-3,7 or all", whole);
  }
  return rank;
}

RankRange parse_range(std::string_view text, std::string_view whole) {
  const auto dash = text.find('-');
  const int first = parse_rank(trim(text.substr(0, dash)), whole);
  if (dash == std::string_view::npos) return {first, first};
  const int last = parse_rank(trim(text.substr(dash + 1)), whole);
  if (last < first) throw usage_error("rank range \"{}\" ends before it starts", text);
  return {first, last};
}

}  // namespace

bool RankSet::contains(int rank) const {
  return all || std::ranges::any_of(ranges, [rank](const RankRange& range) {
           return range.first <= rank && rank <= range.last;
         });
}

RankSet one_rank(int rank) {
  return {false, {{rank, rank}}};
}

RankSet parse_rank_set(std::string_view text) {
  if (trim(text) == "all") return {};
  if (trim(text).empty()) throw usage_error("no ranks given; write them like 3, 0-3,7 or all");
  std::vector<RankRange> ranges;
  for (const std::string_view part : split(text, ',')) {
    ranges.push_back(parse_range(trim(part), text));
  }
  std::ranges::sort(ranges, {}, &RankRange::first);
  RankSet set{false, {}};
  for (const RankRange& range : ranges) {
    if (!set.ranges.empty() && range.first - 1 <= set.ranges.back().last) {
      set.ranges.back().last = std::max(set.ranges.back().last, range.last);
    } else {
      set.ranges.push_back(range);
    }
  }
  return set;
}

std::string format_rank_set(const RankSet& set) {
  if (set.all) return "all";
  std::vector<std::string> parts;
  for (const auto& [first, last] : set.ranges) {
    parts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

void require_ranks_exist(const RankSet& set, int ranks) {
  for (const auto& [first, last] : set.ranges) {
    if (first < 0 || last >= ranks) {
      throw usage_error("there is no rank {}: this run has {} rank{}, 0 to {}",
                        first < 0 || first >= ranks ? first : last, ranks, ranks == 1 ? "" : "s",
                        ranks - 1);
    }
  }
}

std::vector<int> ranks_of(const RankSet& set, int ranks) {
  require_ranks_exist(set, ranks);
  std::vector<int> found;
  if (set.all) {
    found.resize(static_cast<std::size_t>(ranks));
    std::iota(found.begin(), found.end(), 0);
  }
  for (const auto& [first, last] : set.ranges) {
    for (int rank = first; rank <= last; ++rank) found.push_back(rank);
  }
  return found;
}

}  // namespace reducelab
