// Programs with one planted mistake in whom they talk to, how long, and in which buffer.
#include "tests/algorithms/verify/verify_support.h"

#include "core/error.h"

namespace reducelab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A ring in which one rank does one step of the first half differently.
enum class Mistake { wrong_peer, no_send, extra_send, short_send, no_such_peer };

Program mistaken_ring(Rank self, Mistake mistake) {
  const Blocks block = self.blocks(self.size());
  for (int step = 0; step < self.size() - 1; ++step) {
    const Range range = block[self.id() - step];
    const bool here = self.id() == 1 && step == 1;
    if (!here) {
      co_yield send(self.next(), range);
    } else if (mistake == Mistake::wrong_peer) {
      co_yield send(3, range);
    } else if (mistake == Mistake::extra_send) {
      co_yield send(self.next(), range);
      co_yield send(3, range);
    } else if (mistake == Mistake::short_send) {
      co_yield send(self.next(), range.part(0, range.count - 1));
    } else if (mistake == Mistake::no_such_peer) {
      co_yield send(9, range);
    }
    co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
  }
  for (int step = 0; step < self.size() - 1; ++step) {
    co_yield send(self.next(), block[self.id() + 1 - step]);
    co_yield recv(self.prev(), block[self.id() - step]);
  }
}

VerifyReport report_of(Mistake mistake) {
  return verify(world_of(4, 20),
                [=](Rank self) { return mistaken_ring(std::move(self), mistake); });
}

TEST(MatchingMutants, WrongPeerIsNamedAtBothEnds) {
  EXPECT_THAT(messages_of(report_of(Mistake::wrong_peer), "V1"),
              AllOf(HasSubstr("rank 1 sends [0, 5) to rank 3 as message 1, which rank 3 never "
                              "receives"),
                    HasSubstr("rank 2 waits for message 6 from rank 1 into")));
}

TEST(MatchingMutants, DroppedMessageIsNamedByWhoWaitsForIt) {
  const VerifyReport report = report_of(Mistake::no_send);
  EXPECT_EQ(report.text(),
            "V1 error: rank 2 waits for message 6 from rank 1 into [0, 5), which rank 1 never "
            "sends\n");
  EXPECT_EQ(report.messages, 0U);
}

TEST(MatchingMutants, MessageThatIsNeverReceivedIsNamed) {
  EXPECT_EQ(report_of(Mistake::extra_send).text(),
            "V1 error: rank 1 sends [0, 5) to rank 3 as message 1, which rank 3 never receives\n");
}

TEST(MatchingMutants, LengthMismatchNamesBothRanges) {
  EXPECT_EQ(report_of(Mistake::short_send).text(),
            "V1 error: rank 1 sends 4 elements [0, 4) to rank 2 as message 2, but rank 2 expects 5 "
            "elements there, into [0, 5)\n");
}

TEST(MatchingMutants, PeerThatDoesNotExistIsNamed) {
  // Numbers from the ranks up are servers: rank 9 of 4 would be server 5.
  EXPECT_THAT(messages_of(report_of(Mistake::no_such_peer), "V1"),
              HasSubstr("rank 1: operation 3, a send of [0, 5), names participant 9 as its peer, "
                        "but they are 0 to 3"));
}

TEST(MatchingMutants, AccessOutsideTheVectorIsNamed) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    co_yield send(peer, Range{0, 5, 6});
    co_yield recv_reduce(peer, Range{0, 4, 6});
  };
  EXPECT_THAT(messages_of(verify(world_of(2, 10), mutant), "V13"),
              HasSubstr("rank 0: operation 1, a send of [5, 11), reaches outside the buffer, which "
                        "has 10 elements"));
}

TEST(MatchingMutants, AccessOutsideAScratchBufferIsNamed) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Range small = self.scratch(4);
    co_yield copy(small.part(0, 5), self.vector().part(0, 5));
    co_yield copy(Range{2, 0, 1}, self.vector().part(0, 1));
  };
  EXPECT_THAT(
      messages_of(verify(world_of(1, 10), mutant), "V13"),
      AllOf(HasSubstr("a copy of [0, 5) of scratch 1, reaches outside the buffer, which has "
                      "4 elements"),
            HasSubstr("a copy of [0, 1) of scratch 2, names a buffer that was never made")));
}

TEST(MatchingMutants, CopyBetweenRangesOfDifferentLengthIsNamed) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Range scratch = self.scratch(4);
    co_yield copy(scratch, self.vector().part(0, 3));
  };
  EXPECT_THAT(messages_of(verify(world_of(1, 10), mutant), "V13"), HasSubstr("the lengths differ"));
}

TEST(MatchingMutants, ExceptionOfAProgramIsAFindingAboutItsRank) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    if (self.id() == 2) throw run_error("no plan for rank {}", self.id());
    co_yield fence();
  };
  EXPECT_EQ(verify(world_of(3, 10), mutant).text(),
            "V15 error: the program of rank 2 fails after 0 operations: no plan for rank 2\n");
}

/// A tree of NCCL's kind over `size` numbers, rooted at 0: the parent of `number`, -1 for the root.
int tree_parent(int number, int size) {
  if (number == 0) return -1;
  int bit = 1;
  while ((number & bit) == 0) bit *= 2;
  const int up = (number ^ bit) | (bit * 2);
  return up < size ? up : number ^ bit;
}

/// Reduces towards number 0 of a tree and sends the result back; `number` and `rank` translate.
template <class Number, class RankOf>
Program tree(Rank self, Range range, Number number, RankOf rank) {
  const int own = number(self.id());
  const int parent = tree_parent(own, self.size());
  std::vector<int> children;
  for (int other = 0; other < self.size(); ++other) {
    if (tree_parent(other, self.size()) == own) children.push_back(rank(other));
  }
  for (const int child : children) co_yield recv_reduce(child, range);
  if (parent >= 0) {
    co_yield send(rank(parent), range);
    co_yield recv(rank(parent), range);
  }
  for (const int child : children) co_yield send(child, range);
}

/// Half of the vector over a tree, and half over the same tree with other numbers.
template <class Number, class RankOf>
Program two_trees(Rank self, Number number, RankOf rank) {
  const auto same = [](int id) { return id; };
  co_yield run(tree(self.on_channel(0), self.blocks(2)[0], same, same));
  co_yield run(tree(self.on_channel(1), self.blocks(2)[1], number, rank));
}

TEST(StructureMutants, MirroredOddDoubleTreeHasTooManyChildren) {
  VerifyOptions options;
  options.most_children = 2;
  for (const int ranks : {5, 7, 9}) {
    const auto mirror = [=](int number) { return ranks - 1 - number; };
    const ProgramFactory mirrored = [=](Rank self) {
      return two_trees(std::move(self), mirror, mirror);
    };
    const ProgramFactory shifted = [=](Rank self) {
      return two_trees(
          std::move(self), [=](int rank) { return (rank + ranks - 1) % ranks; },
          [=](int number) { return (number + 1) % ranks; });
    };
    EXPECT_TRUE(verify(world_of(ranks, 100), mirrored).ok());
    EXPECT_TRUE(verify(world_of(ranks, 100), shifted, options).ok());
    const VerifyReport report = verify(world_of(ranks, 100), mirrored, options);
    EXPECT_THAT(messages_of(report, "V8"),
                HasSubstr("rank 2 has 4 children to reduce from; at most 2 are"));
  }
}

}  // namespace
}  // namespace reducelab
