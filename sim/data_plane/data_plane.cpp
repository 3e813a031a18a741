#include "sim/data_plane/data_plane.h"

#include <chrono>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "sim/data_plane/action_log.h"
#include "sim/data_plane/dense_store.h"
#include "sim/data_plane/memory_budget.h"
#include "sim/data_plane/mover.h"
#include "sim/data_plane/result_check.h"
#include "sim/data_plane/sampled_store.h"

namespace reducelab {
namespace {

double vector_bytes_of_all(const Job& job) {
  return static_cast<double>(job.world.count) * size_of(job.spec.type) *
         (job.world.ranks + job.world.extras);
}

void require_full_data_fits(const Job& job, std::int64_t available_bytes) {
  const double bytes = vector_bytes_of_all(job);
  if (bytes <= static_cast<double>(available_bytes)) return;
  const int participants = job.world.ranks + job.world.extras;
  throw Error(ErrorCode::unsupported,
              fmt::format("full data needs {} of memory for the vectors of {} participants ({} "
                          "each), but {} are free",
                          round_memory(bytes), participants, round_memory(bytes / participants),
                          round_memory(static_cast<double>(available_bytes))))
      .note("use --data sampled");
}

std::unique_ptr<Reducer> make_reducer(const std::string& name) {
  if (name == "cpu" || name == "auto") return make_cpu_reducer();
  if (name == "cuda") {
    throw Error(ErrorCode::unsupported, "this build has no CUDA reducer").note("use --reducer cpu");
  }
  throw unknown_name("reducer", name, {"cpu", "auto", "cuda"});
}

/// All parts refer to one another, so it stays where it was made.
class StoredDataPlane final : public DataPlane {
 public:
  StoredDataPlane(const Job& job, DataMode mode, std::unique_ptr<Reducer> reducer,
                  std::int64_t memory_bytes)
      : setup_{job.world, job.spec.type, job.spec.op, job.spec.seed, job.identity},
        mode_(mode),
        budget_(memory_bytes),
        reducer_(std::move(reducer)),
        store_(make_store()),
        mover_(setup_, *store_, *reducer_, budget_),
        log_([this](std::span<const Action> actions) { mover_.perform(actions); }) {}

  void message_sent(MessageId id, const Message& message, const Range& source) override {
    if (message.count == 0) return;
    push({Action::Kind::capture, message.from, id, source, {}});
  }
  void message_done(MessageId id, const Message& message, const Range& target) override {
    if (message.count == 0) return;
    push({message.reduces ? Action::Kind::accumulate : Action::Kind::place,
          message.to,
          id,
          target,
          {}});
  }
  void local_done(OpId, int participant, const Operation& what) override {
    if ((what.kind != OpKind::copy && what.kind != OpKind::reduce) ||
        (what.range.count == 0 && what.source.count == 0)) {
      return;
    }
    push({what.kind == OpKind::reduce ? Action::Kind::reduce : Action::Kind::copy, participant, 0,
          what.range, what.source});
  }

  void check(RunResult& result) override {
    if (std::exchange(checked_, true)) {
      throw Error(ErrorCode::bug, "the data of a run is checked once only");
    }
    perform_all();
    check_vectors(setup_, *store_, *reducer_, result);
    result.data = name_of(mode_);
    result.reducer = reducer_->name();
    result.reduce_wall_s = mover_.reduce_wall_s();
  }

  VectorValues values(int participant) override {
    perform_all();
    const auto bytes = store_->vector_bytes(participant);
    VectorValues result;
    result.bytes.assign(bytes.begin(), bytes.end());
    const auto places = store_->vector_elements().places;
    result.elements.assign(places.begin(), places.end());
    if (places.empty()) {
      result.elements.resize(static_cast<std::size_t>(setup_.world.count));
      std::iota(result.elements.begin(), result.elements.end(), std::int64_t{0});
    }
    return result;
  }

 private:
  std::unique_ptr<ValueStore> make_store() {
    if (mode_ == DataMode::full) return std::make_unique<DenseStore>(setup_, budget_);
    return std::make_unique<SampledStore>(setup_);
  }
  void push(const Action& action) {
    const int element_bytes = mode_ == DataMode::full ? size_of(setup_.type) : 0;
    log_.push(action, action.range.count * element_bytes);
  }
  void perform_all() {
    log_.finish();
    mover_.flush();
  }

  DataSetup setup_;
  DataMode mode_;
  MemoryBudget budget_;
  std::unique_ptr<Reducer> reducer_;
  std::unique_ptr<ValueStore> store_;
  Mover mover_;
  bool checked_ = false;
  ActionLog log_;  // last: its thread uses all of the others
};

}  // namespace

DataMode choose_data_mode(const Job& job) {
  const std::int64_t available = available_memory_bytes();
  if (job.spec.data == DataMode::full) require_full_data_fits(job, available);
  if (job.spec.data != DataMode::automatic) return job.spec.data;
  constexpr double kQuickBytes = 512.0 * 1024 * 1024;
  const double bytes = 2 * vector_bytes_of_all(job);  // as much again in flight
  const bool fits = bytes <= kQuickBytes && bytes <= static_cast<double>(available) / 4;
  return fits ? DataMode::full : DataMode::sampled;
}

std::unique_ptr<DataPlane> make_data_plane(const Job& job, DataMode mode) {
  std::unique_ptr<Reducer> reducer = make_reducer(job.spec.reducer);
  if (mode == DataMode::automatic) mode = choose_data_mode(job);
  if (mode == DataMode::none) return nullptr;
  const std::int64_t available = available_memory_bytes();
  if (mode == DataMode::full) require_full_data_fits(job, available);
  return std::make_unique<StoredDataPlane>(job, mode, std::move(reducer), available);
}

}  // namespace reducelab
