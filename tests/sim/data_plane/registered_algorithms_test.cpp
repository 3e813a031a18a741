#include <gmock/gmock.h>

#include "algorithms/registry.h"
#include "tests/sim/data_plane/plane_run.h"

namespace reducelab {
namespace {

/// Ranks 0, 1, ... in nodes of `per_node`, the last of which may be smaller; 0: no nodes.
std::vector<std::vector<int>> nodes_of(int ranks, int per_node) {
  std::vector<std::vector<int>> nodes;
  for (int rank = 0; per_node > 0 && rank < ranks; ++rank) {
    if (rank % per_node == 0) nodes.emplace_back();
    nodes.back().push_back(rank);
  }
  return nodes;
}

class RegisteredAlgorithm : public testing::TestWithParam<std::string_view> {
 protected:
  /// Runs the algorithm with its default parameters, unless it refuses so many ranks.
  void expect_right_result(Job job, DataMode mode, int per_node) {
    const Algorithm& algorithm = find_algorithm(GetParam());
    job.world.params = complete_params(algorithm);
    job.world.nodes = nodes_of(job.world.ranks, per_node);
    if (algorithm.refusal && !algorithm.refusal(job.world).empty()) return;
    job.world = prepare_world(algorithm, job.world);
    SCOPED_TRACE(fmt::format("{} {}, {} ranks in nodes of {}, {} elements", name_of(job.spec.type),
                             name_of(job.spec.op), job.world.ranks, per_node, job.world.count));
    LogicalFabric fabric;
    Execution execution(job.world, {}, fabric);
    fabric.attach(execution);
    const auto plane = make_data_plane(job, mode);
    execution.observe(*plane);
    for (int id = 0; id < job.world.ranks + job.world.extras; ++id) {
      execution.start(id, make_program(algorithm, job.world, id, execution.scratch_counter(id)));
    }
    fabric.run();
    execution.require_complete();
    RunResult result;
    plane->check(result);
    EXPECT_EQ(result.verified, true) << result.wrong << " wrong";
    if (algorithm.identical_ranks) {
      EXPECT_TRUE(result.ranks_identical);
    }
  }
};

TEST_P(RegisteredAlgorithm, GivesEveryRankTheRightResultForAllTypesRanksAndCounts) {
  for (const DataType type : all_data_types()) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max}) {
      for (const int ranks : {1, 2, 3, 5, 8, 13, 16}) {
        for (const int count : {0, 1, ranks - 1, ranks, 1000, 4097}) {
          expect_right_result(plane_job(ranks, count, type, op), DataMode::full, 0);
        }
      }
    }
  }
}

TEST_P(RegisteredAlgorithm, GivesTheRightResultInNodesForAllOperations) {
  for (const ReduceOp op : all_reduce_ops()) {
    for (const int per_node : {2, 4, 8}) {
      for (const int ranks : {1, 4, 8, 16, 24}) {
        for (const int count : {0, 3, 4097}) {
          expect_right_result(plane_job(ranks, count, DataType::float32, op), DataMode::full,
                              per_node);
        }
      }
    }
  }
}

TEST_P(RegisteredAlgorithm, GivesTheRightResultOnSampledData) {
  for (const int per_node : {0, 4}) {
    for (const int ranks : {2, 7, 16}) {
      for (const std::int64_t count : {4099LL, 1'000'000LL, 1LL << 24}) {
        expect_right_result(plane_job(ranks, count, DataType::float32, ReduceOp::sum),
                            DataMode::sampled, per_node);
      }
    }
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const Algorithm& algorithm : all_algorithms()) result.push_back(algorithm.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, RegisteredAlgorithm, testing::ValuesIn(names()),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace reducelab
