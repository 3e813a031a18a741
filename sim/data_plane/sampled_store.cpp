#include "sim/data_plane/sampled_store.h"

#include <numeric>

#include "core/error.h"
#include "cuda_exec/sample_data.h"

namespace reducelab {

std::vector<std::int64_t> sample_places(std::int64_t count, int ranks) {
  constexpr std::int64_t kStrata = 4096;
  std::vector<std::int64_t> places;
  const std::int64_t strata = std::max(kStrata, 2 * static_cast<std::int64_t>(ranks));
  if (count <= strata) {
    places.resize(static_cast<std::size_t>(count));
    std::iota(places.begin(), places.end(), std::int64_t{0});
    return places;
  }
  // Multiples of the golden ratio are spread evenly over [0, 1), so places within their pieces fall
  // into step with no block or slice size.
  constexpr double kGolden = 0.6180339887498949;
  const Blocks pieces({0, 0, count}, static_cast<int>(strata));
  for (int i = 0; i < pieces.size(); ++i) {
    const double turn = kGolden * i;
    const double offset = turn - static_cast<double>(static_cast<std::int64_t>(turn));
    const Range piece = pieces[i];
    places.push_back(piece.first +
                     static_cast<std::int64_t>(offset * static_cast<double>(piece.count)));
  }
  const Blocks blocks({0, 0, count}, ranks);
  for (int i = 0; i < blocks.size(); ++i) {
    places.push_back(blocks[i].first);
    places.push_back(blocks[i].end() - 1);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

SampledStore::SampledStore(const DataSetup& setup)
    : setup_(setup),
      places_(sample_places(setup.world.count, setup.world.ranks)),
      participants_(static_cast<std::size_t>(setup.participants())) {}

std::span<std::byte> SampledStore::vector_bytes(int participant) {
  std::vector<std::byte>& vector = participants_[static_cast<std::size_t>(participant)].vector;
  if (vector.empty() && !places_.empty()) {
    vector.resize(places_.size() * setup_.element_bytes());
    if (participant >= setup_.world.ranks) {
      fill_identity(setup_.type, setup_.op, vector);
    } else {
      const std::span<std::byte> all(vector);
      for_each_run(places_, [&](std::size_t index, std::size_t count) {
        fill(setup_.type, setup_.op, setup_.seed, setup_.identity_of(participant), places_[index],
             all.subspan(index * setup_.element_bytes(), count * setup_.element_bytes()));
      });
    }
  }
  return vector;
}

/// The part of a buffer's values that lies inside `range`.
HeldValues SampledStore::held(std::span<const std::int64_t> places, std::span<std::byte> bytes,
                              const Range& range) const {
  const auto low = std::ranges::lower_bound(places, range.first);
  const auto high = std::lower_bound(low, places.end(), range.end());
  const auto index = static_cast<std::size_t>(low - places.begin());
  const auto count = static_cast<std::size_t>(high - low);
  return {bytes.subspan(index * setup_.element_bytes(), count * setup_.element_bytes()),
          {places.subspan(index, count), range.first}};
}

void SampledStore::mismatch(int participant, const Range& range, const char* doing) const {
  throw run_error("{} {} with values that belong to other elements of the vector", doing,
                  describe_range(setup_.world, participant, range));
}

HeldValues SampledStore::read(int participant, const Range& range) {
  if (range.buffer == 0) {
    if (range.first < 0 || range.end() > setup_.world.count) {
      throw run_error("the program uses {}, but the vector has {} elements",
                      describe_range(setup_.world, participant, range), setup_.world.count);
    }
    return held(places_, vector_bytes(participant), range);
  }
  auto& scratch = participants_[static_cast<std::size_t>(participant)].scratch;
  const auto found = scratch.find(range.buffer);
  if (found == scratch.end()) {
    throw run_error("the program uses {}, which was never written",
                    describe_range(setup_.world, participant, range));
  }
  return held(found->second.places, found->second.bytes, range);
}

std::span<std::byte> SampledStore::reduce_into(int participant, const Range& range,
                                               const HeldElements& incoming) {
  const HeldValues target = read(participant, range);
  if (!target.elements.coincide(incoming)) {
    mismatch(participant, range, "the program reduces into");
  }
  return target.bytes;
}

bool SampledStore::moves(int participant, const Range& range, const HeldElements& incoming) {
  if (range.buffer == 0) return false;
  auto& scratch = participants_[static_cast<std::size_t>(participant)].scratch;
  const auto found = scratch.find(range.buffer);
  if (found == scratch.end()) return false;
  const HeldValues old = held(found->second.places, found->second.bytes, range);
  return !old.elements.coincide(incoming);
}

std::span<std::byte> SampledStore::overwrite(int participant, const Range& range,
                                             const HeldElements& incoming) {
  if (range.buffer == 0) {
    const HeldValues target = read(participant, range);
    if (!target.elements.coincide(incoming)) mismatch(participant, range, "the program overwrites");
    return target.bytes;
  }
  Scratch& scratch = participants_[static_cast<std::size_t>(participant)].scratch[range.buffer];
  HeldValues old = held(scratch.places, scratch.bytes, range);
  if (!old.elements.coincide(incoming)) {
    const auto index = old.elements.places.data() - scratch.places.data();
    const auto size = static_cast<std::ptrdiff_t>(setup_.element_bytes());
    const auto erased = static_cast<std::ptrdiff_t>(old.elements.places.size());
    scratch.places.erase(scratch.places.begin() + index, scratch.places.begin() + index + erased);
    scratch.bytes.erase(scratch.bytes.begin() + index * size,
                        scratch.bytes.begin() + (index + erased) * size);
    scratch.places.insert(scratch.places.begin() + index, incoming.places.size(), 0);
    for (std::size_t i = 0; i < incoming.places.size(); ++i) {
      scratch.places[static_cast<std::size_t>(index) + i] =
          incoming.places[i] - incoming.first + range.first;
    }
    scratch.bytes.insert(scratch.bytes.begin() + index * size,
                         incoming.places.size() * setup_.element_bytes(), std::byte{0});
    old = held(scratch.places, scratch.bytes, range);
  }
  return old.bytes;
}

}  // namespace reducelab
