#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "tests/algorithms/allreduce/cases.h"

namespace reducelab {
namespace {

/// All that one rank posts, strand by strand: each begins where another one spawned it.
struct Pulled {
  std::vector<std::vector<Operation>> strands;
};

void pull_strand(Program program, Pulled& pulled) {
  const std::size_t strand = pulled.strands.size();
  pulled.strands.emplace_back();
  while (program.next()) {
    pulled.strands[strand].push_back(program.operation());
    if (program.operation().kind == OpKind::spawn) pull_strand(program.take_spawned(), pulled);
  }
}

Pulled pull_rank(const Algorithm& algorithm, const World& world, int rank) {
  ScratchSizes scratch;
  Pulled pulled;
  pull_strand(make_program(algorithm, world, rank, &scratch), pulled);
  return pulled;
}

/// The operation of rank 0 as the relabelling that takes it to `rank` has it, but for its ranges.
bool is_image(const Operation& of_zero, const Operation& op, Relabelling group, int rank,
              int ranks) {
  const int peer =
      is_message(of_zero.kind) ? relabelled(group, rank, of_zero.peer, ranks) : of_zero.peer;
  return op.kind == of_zero.kind && op.peer == peer && op.channel == of_zero.channel &&
         op.range.count == of_zero.range.count && op.source.count == of_zero.source.count &&
         op.cost_s == of_zero.cost_s;
}

/// Which operations of a strand may have to wait for which: those whose ranges meet.
std::vector<char> meetings(const std::vector<Operation>& strand) {
  std::vector<char> met(strand.size() * (strand.size() + 1) / 2);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < strand.size(); ++i) {
    const Operation& a = strand[i];
    for (std::size_t k = 0; k <= i; ++k, ++pair) {
      const Operation& b = strand[k];
      met[pair] = static_cast<char>((a.range.overlaps(b.range) ? 1 : 0) |
                                    (a.source.count != 0 && a.source.overlaps(b.range) ? 2 : 0) |
                                    (b.source.count != 0 && b.source.overlaps(a.range) ? 4 : 0));
    }
  }
  return met;
}

/// Empty if the programs of all ranks are rank 0's, relabelled by what takes rank 0 to them.
std::string difference_between_ranks(const Algorithm& algorithm, const World& world,
                                     Relabelling group) {
  const Pulled zero = pull_rank(algorithm, world, 0);
  std::vector<std::vector<char>> met;
  for (const auto& strand : zero.strands) met.push_back(meetings(strand));
  for (int rank = 1; rank < world.ranks; ++rank) {
    const std::string who = "rank " + std::to_string(rank);
    const Pulled other = pull_rank(algorithm, world, rank);
    if (other.strands.size() != zero.strands.size()) return who + " has other strands";
    for (std::size_t s = 0; s < zero.strands.size(); ++s) {
      if (other.strands[s].size() != zero.strands[s].size()) return who + " has other operations";
      for (std::size_t i = 0; i < zero.strands[s].size(); ++i) {
        if (!is_image(zero.strands[s][i], other.strands[s][i], group, rank, world.ranks)) {
          return who + ", strand " + std::to_string(s) + ", operation " + std::to_string(i);
        }
      }
      if (meetings(other.strands[s]) != met[s]) return who + " has other hazards";
    }
  }
  return "";
}

Relabelling symmetry_of(const Algorithm& algorithm, const World& world) {
  return algorithm.symmetry ? algorithm.symmetry(world) : Relabelling::none;
}

TEST(Symmetry, StatedOnesTurnTheProgramOfRankZeroIntoThoseOfAllRanks) {
  for (const AlgorithmCase& the_case : all_cases()) {
    const Algorithm& algorithm = find_algorithm(the_case.name);
    for (const int ranks : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 32, 48, 63, 64}) {
      for (const std::int64_t count : {1, 6 * ranks, 12 * ranks, 5 * ranks + 2}) {
        const World world = world_for(the_case, ranks, count);
        const Relabelling group = symmetry_of(algorithm, world);
        if (group == Relabelling::none) continue;
        ASSERT_EQ(difference_between_ranks(algorithm, world, group), "")
            << text_of(the_case, ranks, count);
      }
    }
  }
}

TEST(Symmetry, MembersOfTheGroupTakeRankZeroToEveryRankAndDifferencesAreWhatTheyLeaveAlone) {
  for (const auto& [group, ranks] : {std::pair(Relabelling::shift, 6),
                                     {Relabelling::shift, 1},
                                     {Relabelling::exclusive_or, 8}}) {
    for (int k = 0; k < ranks; ++k) {
      EXPECT_EQ(relabelled(group, k, 0, ranks), k);
      for (int a = 0; a < ranks; ++a) {
        EXPECT_EQ(difference(group, 0, a, ranks), a);
        for (int b = 0; b < ranks; ++b) {
          EXPECT_EQ(difference(group, relabelled(group, k, a, ranks),
                               relabelled(group, k, b, ranks), ranks),
                    difference(group, a, b, ranks));
        }
      }
    }
  }
}

TEST(Symmetry, IsStatedWhereBlocksAreEqualAndNotWhereTheyAreNot) {
  const auto stated = [](const std::string& name, int ranks, std::int64_t count,
                         std::map<std::string, std::string> params = {}) {
    return symmetry_of(find_algorithm(name), world_for({name, std::move(params)}, ranks, count));
  };
  for (const char* name : {"two-shot", "ring", "segmented-ring", "bidirectional-ring"}) {
    EXPECT_EQ(stated(name, 6, 24), Relabelling::shift) << name;
    EXPECT_EQ(stated(name, 6, 25), Relabelling::none) << name;
  }
  EXPECT_EQ(stated("ring", 4, 24, {{"channels", "3"}}), Relabelling::shift);
  EXPECT_EQ(stated("ring", 4, 20, {{"channels", "3"}}), Relabelling::none);
  EXPECT_EQ(stated("bidirectional-ring", 4, 20), Relabelling::none);
  EXPECT_EQ(stated("recursive-doubling", 8, 5), Relabelling::exclusive_or);
  EXPECT_EQ(stated("recursive-doubling", 6, 6), Relabelling::none);
  EXPECT_EQ(stated("rabenseifner", 8, 16), Relabelling::exclusive_or);
  EXPECT_EQ(stated("rabenseifner", 8, 17), Relabelling::none);
  EXPECT_EQ(stated("hierarchical", 6, 24), Relabelling::shift);
  for (const char* name :
       {"linear", "one-shot", "binomial", "circulant", "double-tree", "parameter-server"}) {
    EXPECT_EQ(stated(name, 8, 64), Relabelling::none) << name;
  }
}

TEST(Symmetry, OfARingEndsWhereNodesHoldSeveralRanksOrAMeshBendsIt) {
  const Algorithm& ring = find_algorithm("ring");
  World world = world_for({"ring", {}, "pairs"}, 8, 64);
  EXPECT_EQ(symmetry_of(ring, world), Relabelling::none);
  EXPECT_NE(difference_between_ranks(ring, world_for({"ring", {{"channels", "2"}}, "pairs"}, 8, 64),
                                     Relabelling::shift),
            "");
  world.nodes = {{0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(symmetry_of(ring, world), Relabelling::shift);
  world.meshed = true;
  EXPECT_EQ(symmetry_of(ring, world), Relabelling::none);
  EXPECT_NE(difference_between_ranks(ring, world, Relabelling::shift), "");
}

}  // namespace
}  // namespace reducelab
