#include "sim/data_plane/result_check.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "cuda_exec/reference.h"

namespace reducelab {
namespace {

constexpr std::int64_t tile_elements = 16 * 1024;

/// The reference of the held elements number `first` to `first + count - 1`.
Reference reference_of(const DataSetup& setup, const HeldElements& held, std::span<const int> ranks,
                       std::int64_t first, std::int64_t count) {
  if (held.places.empty()) {
    return reference_reduction(setup.type, setup.op, setup.seed, ranks, first, count);
  }
  Reference all{setup.type, setup.op, static_cast<int>(ranks.size()), {}, {}};
  const auto places =
      held.places.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  for_each_run(places, [&](std::size_t index, std::size_t length) {
    const Reference part = reference_reduction(setup.type, setup.op, setup.seed, ranks,
                                               places[index], static_cast<std::int64_t>(length));
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    all.integers.insert(all.integers.end(), part.integers.begin(), part.integers.end());
  });
  return all;
}

}  // namespace

void check_vectors(const DataSetup& setup, ValueStore& store, Reducer& reducer, RunResult& result) {
  const HeldElements held = store.vector_elements();
  const std::int64_t total =
      held.places.empty() ? setup.world.count : static_cast<std::int64_t>(held.places.size());
  std::vector<int> ranks(static_cast<std::size_t>(setup.world.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> identities = ranks;
  for (int& rank : identities) rank = setup.identity_of(rank);

  Comparison all;
  bool identical = true;
  for (std::int64_t first = 0; first < total; first += tile_elements) {
    const std::int64_t count = std::min(tile_elements, total - first);
    const auto tile_of = [&](int rank) {
      return store.vector_bytes(rank).subspan(
          static_cast<std::size_t>(first) * setup.element_bytes(),
          static_cast<std::size_t>(count) * setup.element_bytes());
    };
    const Reference reference = reference_of(setup, held, identities, first, count);
    const std::span<std::byte> first_tile = tile_of(0);
    Comparison of_first;
    for (const int rank : ranks) {
      const std::span<std::byte> tile = tile_of(rank);
      if (setup.op == ReduceOp::avg) reducer.divide(setup.type, tile, setup.world.ranks);
      const bool same = rank != 0 && std::memcmp(tile.data(), first_tile.data(), tile.size()) == 0;
      // Equal bits are equally right.
      const Comparison comparison = same ? of_first : compare(reference, tile);
      if (rank == 0) of_first = comparison;
      identical = identical && (same || rank == 0);
      all.merge(comparison);
    }
  }
  result.verified = all.wrong == 0;
  result.checked_elements = total;
  result.wrong = all.wrong;
  result.max_abs_error = all.max_abs_error;
  result.max_rel_error = all.max_rel_error;
  result.max_ulps = all.max_ulps;
  result.ranks_identical = identical;
}

}  // namespace reducelab
