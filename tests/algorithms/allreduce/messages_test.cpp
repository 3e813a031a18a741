#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/algorithms/allreduce/cases.h"
#include "tests/algorithms/allreduce/posted.h"

namespace reducelab {
namespace {

std::map<ConnectionName, std::vector<std::int64_t>> lengths(
    const std::map<ConnectionName, std::vector<Range>>& messages) {
  std::map<ConnectionName, std::vector<std::int64_t>> result;
  for (const auto& [connection, ranges] : messages) {
    for (const Range& range : ranges) result[connection].push_back(range.count);
  }
  return result;
}

TEST(Messages, SendsAndReceivesMatchInNumberOrderAndLengthOnEveryConnection) {
  for (const AlgorithmCase& the_case : all_cases()) {
    const Algorithm& algorithm = find_algorithm(the_case.name);
    for (int ranks = 1; ranks <= 33; ++ranks) {
      for (const std::int64_t count : {1, 100}) {
        const World world = world_for(the_case, ranks, count);
        const PostedMessages posted = posted_by_all(algorithm, world);
        ASSERT_EQ(lengths(posted.sends), lengths(posted.receives))
            << text_of(the_case, ranks, count);
      }
    }
  }
}

TEST(Messages, NobodySendsToItselfOrOutOfTheVector) {
  for (const AlgorithmCase& the_case : all_cases()) {
    const World world = world_for(the_case, 13, 100);
    const auto posted = posted_by_all(find_algorithm(the_case.name), world);
    for (const auto& [connection, ranges] : posted.sends) {
      EXPECT_NE(std::get<0>(connection), std::get<1>(connection)) << text_of(the_case, 13, 100);
      for (const Range& range : ranges) {
        EXPECT_TRUE(range.first >= 0 && range.end() <= 100) << text_of(the_case, 13, 100);
      }
    }
  }
}

std::int64_t elements_sent_by(const PostedMessages& posted, int rank) {
  std::int64_t elements = 0;
  for (const auto& [connection, ranges] : posted.sends) {
    if (std::get<0>(connection) != rank) continue;
    for (const Range& range : ranges) elements += range.count;
  }
  return elements;
}

// Of 2(n - 1) rings, for even n, two go over every link in each direction.
TEST(Messages, RingsInAMeshLoadEveryLinkAlike) {
  for (const int ranks : {4, 6, 8}) {
    World world = world_for({"ring", {{"channels", std::to_string(2 * (ranks - 1))}}}, ranks,
                            2 * (ranks - 1) * ranks * 10);
    world.nodes.assign(1, std::vector<int>(static_cast<std::size_t>(ranks)));
    std::iota(world.nodes[0].begin(), world.nodes[0].end(), 0);
    world.meshed = true;
    std::map<std::pair<int, int>, std::int64_t> elements;
    for (const auto& [connection, ranges] : posted_by_all(find_algorithm("ring"), world).sends) {
      for (const Range& range : ranges) {
        elements[{std::get<0>(connection), std::get<1>(connection)}] += range.count;
      }
    }
    ASSERT_EQ(elements.size(), static_cast<std::size_t>(ranks * (ranks - 1)));
    for (const auto& [link, count] : elements) EXPECT_EQ(count, 2 * 2 * (ranks - 1) * 10);
  }
}

// Chan, Heimlich, Purkayastha, van de Geijn 2007: no all-reduce sends less than 2n(p-1)/p per rank.
TEST(Messages, BandwidthOptimalAlgorithmsSendExactlyTheLowerBound) {
  for (const std::string name :
       {"two-shot", "ring", "segmented-ring", "bidirectional-ring", "circulant", "hierarchical"}) {
    for (const int ranks : {2, 6, 7, 12, 31}) {
      const World world = world_for({name, {}}, ranks, 100 * ranks);
      const PostedMessages posted = posted_by_all(find_algorithm(name), world);
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(elements_sent_by(posted, rank), 200 * (ranks - 1)) << name << " " << ranks;
      }
    }
  }
}

TEST(Messages, RanksOfANodeShareTheTrafficBetweenNodesEqually) {
  World world = world_for({"hierarchical", {}}, 12, 12 * 50);
  world.nodes = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  const PostedMessages posted = posted_by_all(find_algorithm("hierarchical"), world);
  std::map<int, std::int64_t> out_of_node;
  for (const auto& [connection, ranges] : posted.sends) {
    const auto [from, to, channel] = connection;
    if (from / 4 == to / 4) continue;
    for (const Range& range : ranges) out_of_node[from] += range.count;
  }
  ASSERT_EQ(out_of_node.size(), 12u);
  // Each carries 2 n/g (N-1)/N for N = 3 nodes of g = 4.
  for (const auto& [rank, elements] : out_of_node) EXPECT_EQ(elements, 2 * 150 * 2 / 3) << rank;
}

// The ranks from which each channel leaves its node.
std::map<std::uint64_t, std::set<int>> exits(const std::string& name, int channels) {
  World world;
  world.ranks = 16;
  world.count = 1600;
  for (int node = 0; node < 4; ++node) {
    world.nodes.push_back({4 * node, 4 * node + 1, 4 * node + 2, 4 * node + 3});
  }
  const Algorithm& algorithm = find_algorithm(name);
  world.params = complete_params(algorithm, {{"channels", std::to_string(channels)}});
  world = prepare_world(algorithm, world);
  std::map<std::uint64_t, std::set<int>> result;
  for (const auto& [connection, ranges] : posted_by_all(algorithm, world).sends) {
    const auto [from, to, channel] = connection;
    if (from / 4 != to / 4) result[channel].insert(from % 4);
  }
  return result;
}

TEST(Channels, OfARingLeaveANodeFromDifferentRanks) {
  const auto by_channel = exits("ring", 4);
  ASSERT_EQ(by_channel.size(), 4u);
  std::set<int> used;
  for (const auto& [channel, ranks] : by_channel) {
    EXPECT_EQ(ranks.size(), 1u);
    used.insert(ranks.begin(), ranks.end());
  }
  EXPECT_EQ(used.size(), 4u);
}

TEST(Channels, OfADoubleTreeLeaveANodeFromDifferentRanks) {
  const auto by_channel = exits("double-tree", 8);
  ASSERT_EQ(by_channel.size(), 8u);  // a channel works on one of the two trees
  std::map<int, int> used;
  for (const auto& [channel, ranks] : by_channel) {
    EXPECT_EQ(ranks.size(), 1u);
    ++used[*ranks.begin()];
  }
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(used[rank], 2) << rank;
}

// Träff's rounds for p = 12 as (skip, blocks): (6,6) (3,3) (2,1) (1,1), and the same in reverse.
TEST(Circulant, SendsTheBlocksOfThePaper) {
  const World world = world_for({"circulant", {}}, 12, 12);
  const PostedMessages posted = posted_by_all(find_algorithm("circulant"), world);
  std::map<int, std::int64_t> by_peer;
  for (const auto& [connection, ranges] : posted.sends) {
    if (std::get<0>(connection) != 0) continue;
    for (const Range& range : ranges) by_peer[std::get<1>(connection)] += range.count;
  }
  const std::map<int, std::int64_t> expected{{6, 12}, {3, 3},  {2, 1}, {1, 1},
                                             {9, 3},  {10, 1}, {11, 1}};
  EXPECT_EQ(by_peer, expected);
}

// The last message of the halving half: rank v's block is where it ends.
std::vector<int> owners(const std::string& order) {
  const World world = world_for({"rabenseifner", {{"order", order}}}, 8, 8);
  std::vector<int> blocks;
  for (int rank = 0; rank < 8; ++rank) {
    ScratchSizes scratch;
    Program program = make_program(find_algorithm("rabenseifner"), world, rank, &scratch);
    Range last;
    while (program.next()) {
      if (program.operation().kind == OpKind::recv_reduce) last = program.operation().range;
    }
    blocks.push_back(static_cast<int>(last.first));
  }
  return blocks;
}

TEST(Rabenseifner, NearFirstEndsWithBitReversedBlocks) {
  EXPECT_EQ(owners("near-first"), (std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(Rabenseifner, FarFirstEndsWithEachRanksOwnBlock) {
  EXPECT_EQ(owners("far-first"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace reducelab
