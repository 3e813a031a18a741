#include "sim/data_plane/mover.h"

#include <bit>
#include <chrono>
#include <utility>

#include "core/error.h"

namespace reducelab {
namespace {

// Large enough to be worth handing over, small enough for payloads to be still in the cache when
// they are delivered.
constexpr std::size_t batch_operations = 256;
constexpr std::size_t batch_bytes = 1 << 20;
constexpr std::size_t most_touches = 64;  // beyond, comparing ranges costs more than a new batch

}  // namespace

PayloadBuffers::Buffer PayloadBuffers::take(std::size_t bytes) {
  const int size_class = static_cast<int>(std::bit_width(bytes > 0 ? bytes - 1 : 0));
  std::vector<Buffer>& free = free_[static_cast<std::size_t>(size_class)];
  if (!free.empty()) {
    Buffer buffer = std::move(free.back());
    free.pop_back();
    return buffer;
  }
  const std::size_t capacity = std::size_t{1} << size_class;
  budget_.take(static_cast<std::int64_t>(capacity));
  return {std::make_unique_for_overwrite<std::byte[]>(capacity), size_class};
}

void PayloadBuffers::give_back(Buffer buffer) {
  if (buffer.bytes) free_[static_cast<std::size_t>(buffer.size_class)].push_back(std::move(buffer));
}

Mover::Mover(const DataSetup& setup, ValueStore& store, Reducer& reducer, MemoryBudget& budget)
    : setup_(setup),
      store_(store),
      reducer_(reducer),
      buffers_(budget),
      touched_(static_cast<std::size_t>(setup.participants())) {}

void Mover::perform(std::span<const Action> actions) {
  for (const Action& action : actions) {
    if (action.message >= payloads_.size()) payloads_.resize(action.message + 1);
    Payload& payload = payloads_[action.message];
    switch (action.kind) {
      case Action::Kind::capture:
        capture(payload, action.participant, action.range);
        break;
      case Action::Kind::place:
        deliver(payload, action.participant, action.range, false);
        break;
      case Action::Kind::accumulate:
        deliver(payload, action.participant, action.range, true);
        break;
      case Action::Kind::copy:
        local(action.participant, action.range, action.source, false);
        break;
      case Action::Kind::reduce:
        local(action.participant, action.range, action.source, true);
        break;
    }
  }
}

void Mover::capture(Payload& payload, int participant, const Range& source) {
  require_range(participant, source);
  if (conflicts(participant, source, false)) flush();
  const HeldValues values = store_.read(participant, source);
  payload.buffer = buffers_.take(values.bytes.size());
  payload.bytes = {payload.buffer.bytes.get(), values.bytes.size()};
  payload.elements = values.elements;
  if (source.buffer != 0) {  // a scratch buffer's places may be others when the message arrives
    payload.own_places.assign(values.elements.places.begin(), values.elements.places.end());
    payload.elements.places = payload.own_places;
  }
  payload.batch = batch_number_;
  touch(participant, source, false);
  add(Reducer::Kind::copy, payload.bytes, values.bytes);
}

void Mover::deliver(Payload& payload, int participant, const Range& target, bool reduces) {
  require_range(participant, target);
  if (payload.batch == batch_number_ || conflicts(participant, target, true) ||
      (!reduces && store_.moves(participant, target, payload.elements))) {
    flush();
  }
  const std::span<std::byte> bytes = target_bytes(participant, target, payload.elements, reduces);
  done_with_.push_back(std::move(payload.buffer));
  touch(participant, target, true);
  add(reduces ? Reducer::Kind::accumulate : Reducer::Kind::copy, bytes, payload.bytes);
}

void Mover::local(int participant, const Range& target, const Range& source, bool reduces) {
  if (target.count != source.count) {
    throw run_error("the program {} {} elements {} {}", reduces ? "reduces" : "copies",
                    source.count, reduces ? "into" : "over",
                    describe_range(setup_.world, participant, target));
  }
  // Within one buffer the ranges may overlap, or writing one may move the other.
  if (target.buffer == source.buffer && (target.buffer != 0 || target.overlaps(source))) {
    capture(staged_, participant, source);
    return deliver(staged_, participant, target, reduces);
  }
  require_range(participant, target);
  require_range(participant, source);
  const HeldValues values = store_.read(participant, source);
  if (conflicts(participant, source, false) || conflicts(participant, target, true) ||
      (!reduces && store_.moves(participant, target, values.elements))) {
    flush();
  }
  const std::span<std::byte> bytes = target_bytes(participant, target, values.elements, reduces);
  touch(participant, source, false);
  touch(participant, target, true);
  add(reduces ? Reducer::Kind::accumulate : Reducer::Kind::copy, bytes, values.bytes);
}

std::span<std::byte> Mover::target_bytes(int participant, const Range& target,
                                         const HeldElements& incoming, bool reduces) {
  return reduces ? store_.reduce_into(participant, target, incoming)
                 : store_.overwrite(participant, target, incoming);
}

/// True if an operation on `range` has to wait for one of the batch.
bool Mover::conflicts(int participant, const Range& range, bool writes) const {
  const Touched& touched = touched_[static_cast<std::size_t>(participant)];
  if (touched.batch != batch_number_) return false;
  if (touched.ranges.size() >= most_touches) return true;
  return std::ranges::any_of(touched.ranges, [&](const Touch& earlier) {
    return (earlier.writes || writes) && earlier.range.overlaps(range);
  });
}

void Mover::touch(int participant, const Range& range, bool writes) {
  Touched& touched = touched_[static_cast<std::size_t>(participant)];
  if (touched.batch != batch_number_) {
    touched.batch = batch_number_;
    touched.ranges.clear();
  }
  touched.ranges.push_back({range, writes});
}

void Mover::add(Reducer::Kind kind, std::span<std::byte> dst, std::span<const std::byte> src) {
  if (dst.empty()) return;
  batch_.push_back({kind, dst, src});
  batch_bytes_ += dst.size();
  if (batch_.size() >= batch_operations || batch_bytes_ >= batch_bytes) flush();
}

void Mover::flush() {
  if (!batch_.empty()) {
    const auto begin = std::chrono::steady_clock::now();
    reducer_.run_batch(setup_.type, setup_.op, batch_);
    reduce_wall_s_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  batch_.clear();
  batch_bytes_ = 0;
  ++batch_number_;
  for (PayloadBuffers::Buffer& buffer : done_with_) buffers_.give_back(std::move(buffer));
  done_with_.clear();
}

void Mover::require_range(int participant, const Range& range) const {
  if (range.first >= 0 && range.count >= 0 && range.buffer >= 0) return;
  throw run_error("the program uses {}, which is no range",
                  describe_range(setup_.world, participant, range));
}

}  // namespace reducelab
