#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reducelab {

/// The ranks first, first + 1 ... last.
struct RankRange {
  int first = 0;
  int last = 0;
  bool operator==(const RankRange&) const = default;
};

/// Some ranks, kept as ranges that are sorted and neither touch nor overlap; or all there are.
struct RankSet {
  bool all = true;
  std::vector<RankRange> ranges;  ///< empty if `all`

  bool contains(int rank) const;
  bool operator==(const RankSet&) const = default;
};

/// The set of one rank.
RankSet one_rank(int rank);

/// Reads `all`, `3`, `0-3` or `0-3,7`; anything else is a usage Error.
RankSet parse_rank_set(std::string_view text);

/// The inverse of `parse_rank_set`.
std::string format_rank_set(const RankSet& set);

/// Throws a usage Error if the set holds a rank outside 0 ... ranks - 1.
void require_ranks_exist(const RankSet& set, int ranks);

/// The ranks of the set among 0 ... ranks - 1, in order; throws as `require_ranks_exist`.
std::vector<int> ranks_of(const RankSet& set, int ranks);

}  // namespace reducelab
