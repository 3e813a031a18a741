#include "sim/data_plane/mover.h"

#include <gmock/gmock.h>

#include <ranges>

#include "sim/data_plane/dense_store.h"
#include "sim/data_plane/result_check.h"
#include "sim/data_plane/sampled_store.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

/// Performs each batch backwards, which is as good an order as any.
class BackwardsReducer final : public Reducer {
 public:
  std::string_view name() const override { return "backwards"; }
  void accumulate(DataType type, ReduceOp op, std::span<std::byte> dst,
                  std::span<const std::byte> src) override {
    cpu_->accumulate(type, op, dst, src);
  }
  void divide(DataType type, std::span<std::byte> dst, int divisor) override {
    cpu_->divide(type, dst, divisor);
  }
  void copy(std::span<std::byte> dst, std::span<const std::byte> src) override {
    cpu_->copy(dst, src);
  }
  void run_batch(DataType type, ReduceOp op, std::span<const Operation> operations) override {
    largest_batch_ = std::max(largest_batch_, operations.size());
    for (const Operation& operation : std::views::reverse(operations)) {
      cpu_->run_batch(type, op, std::span(&operation, 1));
    }
  }
  std::size_t largest_batch() const { return largest_batch_; }

 private:
  std::unique_ptr<Reducer> cpu_ = make_cpu_reducer();
  std::size_t largest_batch_ = 0;
};

/// Hands what happens in an Execution straight to a Mover.
class MoverObserver final : public ExecutionObserver {
 public:
  explicit MoverObserver(Mover& mover) : mover_(mover) {}
  void message_sent(MessageId id, const Message& message, const Range& source) override {
    perform({Action::Kind::capture, message.from, id, source, {}});
  }
  void message_done(MessageId id, const Message& message, const Range& target) override {
    const auto kind = message.reduces ? Action::Kind::accumulate : Action::Kind::place;
    perform({kind, message.to, id, target, {}});
  }
  void local_done(OpId, int participant, const Operation& what) override {
    const auto kind = what.kind == OpKind::copy ? Action::Kind::copy : Action::Kind::reduce;
    perform({kind, participant, 0, what.range, what.source});
  }

 private:
  void perform(const Action& action) { mover_.perform(std::span(&action, 1)); }
  Mover& mover_;
};

class Batches : public testing::TestWithParam<DataMode> {
 protected:
  void expect_independent(const Job& job, const ProgramOf& program) {
    const DataSetup setup{job.world, job.spec.type, job.spec.op, job.spec.seed, {}};
    MemoryBudget budget(std::int64_t{1} << 30);
    std::unique_ptr<ValueStore> store = std::make_unique<SampledStore>(setup);
    if (GetParam() == DataMode::full) store = std::make_unique<DenseStore>(setup, budget);
    BackwardsReducer reducer;
    Mover mover(setup, *store, reducer, budget);
    MoverObserver observer(mover);
    LogicalFabric fabric;
    Execution execution(job.world, {}, fabric);
    fabric.attach(execution);
    execution.observe(observer);
    for (int id = 0; id < setup.participants(); ++id) {
      execution.start(id, program(Rank(job.world, id, execution.scratch_counter(id))));
    }
    fabric.run();
    execution.require_complete();
    mover.flush();
    RunResult result;
    check_vectors(setup, *store, reducer, result);
    EXPECT_EQ(result.verified, true);
    EXPECT_TRUE(result.ranks_identical);
    EXPECT_GT(reducer.largest_batch(), 1U);
    const auto bytes = store->vector_bytes(0);
    const auto expected = run_plane(job, GetParam(), program).values[0].bytes;
    EXPECT_TRUE(std::ranges::equal(bytes, expected));
  }
};

TEST_P(Batches, GiveTheSameBitsInAnyOrder) {
  for (const std::int64_t count : {900, 9000}) {
    expect_independent(plane_job(8, count, DataType::float16, ReduceOp::sum), ring);
    expect_independent(plane_job(5, count, DataType::float32, ReduceOp::sum), direct);
    expect_independent(plane_job(6, count, DataType::float32, ReduceOp::prod), chain);
    expect_independent(plane_job(7, count, DataType::bfloat16, ReduceOp::sum, 1), through_server);
  }
}

TEST_P(Batches, EndWhereAnActionWouldMoveOrOverwriteWhatWaits) {
  const Job job = plane_job(3, 100, DataType::int32, ReduceOp::sum);
  const DataSetup setup{job.world, job.spec.type, job.spec.op, job.spec.seed, {}};
  MemoryBudget budget(1 << 20);
  std::unique_ptr<ValueStore> store = std::make_unique<SampledStore>(setup);
  if (GetParam() == DataMode::full) store = std::make_unique<DenseStore>(setup, budget);
  BackwardsReducer reducer;
  Mover mover(setup, *store, reducer, budget);
  const auto vector_of = [&](int rank) {
    const auto bytes = store->vector_bytes(rank);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  const auto of_rank_0 = vector_of(0);
  const auto of_rank_1 = vector_of(1);
  const Range vector{0, 0, 100};
  const Range scratch{1, 0, 100};
  using Kind = Action::Kind;
  mover.perform(
      std::vector<Action>{{Kind::capture, 1, 1, vector, {}}, {Kind::capture, 2, 2, vector, {}}});
  mover.flush();
  // The second message makes the scratch buffer grow while the first waits to be written there;
  // then rank 0's vector is overwritten while it waits to be captured.
  mover.perform(std::vector<Action>{{Kind::place, 0, 1, scratch, {}},
                                    {Kind::place, 0, 2, {1, 100, 100}, {}}});
  mover.flush();
  mover.perform(
      std::vector<Action>{{Kind::capture, 0, 3, vector, {}}, {Kind::copy, 0, 0, vector, scratch}});
  mover.flush();
  mover.perform(std::vector<Action>{{Kind::place, 2, 3, vector, {}}});
  mover.flush();
  EXPECT_TRUE(vector_of(0) == of_rank_1);
  EXPECT_TRUE(vector_of(2) == of_rank_0);
}

INSTANTIATE_TEST_SUITE_P(Modes, Batches, testing::Values(DataMode::full, DataMode::sampled),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace reducelab
