#include "experiments/importers/collective_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace reducelab {
namespace {

constexpr double kSlack = 1e-9;  // of the arithmetic here, not of the print

/// Two ranks of an all-reduce print the same factor as very many of a reduce-scatter: nobody has
/// the latter without a device list in the log.
constexpr int kMostInferredRanks = 4096;

enum class Share { all_reduce, others, one };

struct Collective {
  std::string_view name;
  Share share;
};

constexpr std::array<Collective, 10> kCollectives{{
    {"all_reduce", Share::all_reduce},
    {"reduce_scatter", Share::others},
    {"all_gather", Share::others},
    {"alltoallv", Share::others},
    {"alltoall", Share::others},
    {"gather", Share::others},
    {"scatter", Share::others},
    {"broadcast", Share::one},
    {"reduce", Share::one},
    {"sendrecv", Share::one},
}};

double factor_for(Share share, int ranks) {
  if (share == Share::one) return 1;
  const double others = static_cast<double>(ranks - 1) / ranks;
  return share == Share::all_reduce ? 2 * others : others;
}

/// Whole numbers of ranks, at least 2; none if fewest > most.
struct RankRange {
  double fewest = 0;
  double most = 0;
};

/// factor = scale (n-1)/n, so n = scale / (scale - factor).
RankRange rank_range(Share share, const FactorRange& factor) {
  const double scale = share == Share::all_reduce ? 2 : 1;
  if (factor.low >= scale) return {1, 0};
  RankRange ranks;
  ranks.fewest = std::max(2.0, std::ceil(scale / (scale - factor.low) * (1 - kSlack)));
  ranks.most = kMostInferredRanks;
  if (factor.high < scale) {
    ranks.most = std::min(ranks.most, std::floor(scale / (scale - factor.high) * (1 + kSlack)));
  }
  return ranks;
}

/// True if the collective can have such a factor over `ranks` ranks (0: any number).
bool can_have(Share share, const FactorRange& factor, int ranks) {
  if (ranks > 0 || share == Share::one)
    return factor.contains(factor_for(share, std::max(1, ranks)));
  const RankRange range = rank_range(share, factor);
  return range.fewest <= range.most;
}

const Collective* find_collective(std::string_view name) {
  const auto found = std::find_if(kCollectives.begin(), kCollectives.end(),
                                  [&](const Collective& c) { return c.name == name; });
  return found == kCollectives.end() ? nullptr : &*found;
}

}  // namespace

bool FactorRange::contains(double factor) const {
  return factor >= low * (1 - kSlack) && factor <= high * (1 + kSlack);
}

std::optional<double> bus_factor(std::string_view collective, int ranks) {
  const Collective* const known = find_collective(collective);
  if (known == nullptr || ranks < 1) return std::nullopt;
  return factor_for(known->share, ranks);
}

std::string collective_named_in(std::string_view text) {
  const std::size_t end = text.find("_perf");
  if (end == std::string_view::npos) return {};
  std::size_t begin = end;
  while (begin > 0 &&
         ((text[begin - 1] >= 'a' && text[begin - 1] <= 'z') || text[begin - 1] == '_')) {
    --begin;
  }
  const std::string_view word = text.substr(begin, end - begin);
  return find_collective(word) != nullptr ? std::string(word) : std::string();
}

FactorRange factor_of(const PrintedHalf& half) {
  const PrintedNumber& bus = half.busbw_GBps;
  const PrintedNumber& alg = half.algbw_GBps;
  const double most_alg = alg.value + alg.half_ulp;
  const double least_alg = alg.value - alg.half_ulp;
  FactorRange range;
  range.low = most_alg > 0 ? std::max(0.0, bus.value - bus.half_ulp) / most_alg : 0;
  range.high = least_alg > 0 ? (bus.value + bus.half_ulp) / least_alg
                             : std::numeric_limits<double>::infinity();
  return range;
}

std::optional<FactorRange> common_factor(std::span<const ParsedRow> rows) {
  std::vector<FactorRange> ranges;
  for (const ParsedRow& row : rows) {
    for (const PrintedHalf& half : row.printed) {
      const FactorRange range = factor_of(half);
      if (std::isfinite(range.high)) ranges.push_back(range);
    }
  }
  if (ranges.empty()) return std::nullopt;
  std::stable_sort(ranges.begin(), ranges.end(), [](const FactorRange& a, const FactorRange& b) {
    return a.high - a.low < b.high - b.low;
  });
  FactorRange common = ranges.front();
  for (const FactorRange& range : ranges) {
    const double low = std::max(common.low, range.low);
    const double high = std::min(common.high, range.high);
    if (low <= high) common = {low, high};
  }
  return common;
}

int ranks_from_factor(std::string_view collective, const FactorRange& factor) {
  const Collective* const known = find_collective(collective);
  if (known == nullptr || known->share == Share::one) return 0;
  const RankRange ranks = rank_range(known->share, factor);
  return ranks.fewest <= ranks.most && ranks.fewest + 1 > ranks.most
             ? static_cast<int>(ranks.fewest)
             : 0;
}

std::string collective_from_factor(const FactorRange& factor, int ranks, const MeasuredRow& row) {
  const bool reduces = !row.redop.empty() && row.redop != "none";
  const bool rooted = row.root >= 0;
  std::vector<std::string> fitting;
  const auto consider = [&](std::string_view name, bool columns_fit) {
    if (columns_fit && can_have(find_collective(name)->share, factor, ranks)) {
      fitting.emplace_back(name);
    }
  };
  consider("all_reduce", reduces && !rooted);
  consider("reduce_scatter", reduces && !rooted);
  consider("reduce", reduces && rooted);
  consider("all_gather", !reduces && !rooted);
  consider("sendrecv", !reduces && !rooted);
  consider("broadcast", !reduces && rooted);
  consider("gather", !reduces && rooted);
  return fitting.size() == 1 ? fitting.front() : std::string();
}

}  // namespace reducelab
