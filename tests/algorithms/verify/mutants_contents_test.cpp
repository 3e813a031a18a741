// Programs with one planted mistake in what they add or where they put it.
#include "tests/algorithms/verify/verify_support.h"

namespace reducelab {
namespace {

using ::testing::HasSubstr;

TEST(ContentMutants, MissingBlockIsNamedWithTheRanksThatAreMissing) {
  // The all-gather stops one step early.
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Blocks block = self.blocks(self.size());
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
    }
    for (int step = 0; step < self.size() - 2; ++step) {
      co_yield send(self.next(), block[self.id() + 1 - step]);
      co_yield recv(self.prev(), block[self.id() - step]);
    }
  };
  const VerifyReport report = verify(world_of(4, 20), mutant);
  EXPECT_FALSE(report.ok());
  // Rank 0 lacks block 2, to which it has added what ranks 2 and 3 sent round.
  EXPECT_THAT(messages_of(report, "V2"), HasSubstr("rank 0 [10, 15) misses rank 1\n"));
  EXPECT_EQ(report.finding_counts.at("V2"), 4);
}

TEST(ContentMutants, RepeatedReductionIsNamedWithStepAndContributor) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Range incoming = self.scratch(self.vector().count);
    co_yield send(peer, self.vector());
    co_yield recv(peer, incoming);
    co_yield reduce(self.vector(), incoming);
    if (self.id() == 1) co_yield reduce(self.vector(), incoming);
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_EQ(report.text(),
            "V2 error: rank 1 [0, 10) counts rank 0 twice, first when rank 1 reduces [0, 10) of "
            "scratch 1 into [0, 10)\n");
}

TEST(ContentMutants, DoubleCountByMessageNamesTheFirstStepThatCountsTwice) {
  // The ring goes around one step too far in its first half.
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Blocks block = self.blocks(self.size());
    for (int step = 0; step < self.size(); ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
    }
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv(self.prev(), block[self.id() - step - 1]);
    }
  };
  const VerifyReport report = verify(world_of(3, 9), mutant);
  EXPECT_THAT(messages_of(report, "V2"),
              HasSubstr("counts rank 0 twice, first when rank 0 receives and reduces [0, 3) from "
                        "rank 2 (step 3)"));
}

TEST(ContentMutants, SwappedBlocksOfTheAllGatherEndInEachOthersPlace) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Blocks block = self.blocks(self.size());
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
    }
    // Rank 3 is the last that gets block 1 and block 2, so that no one inherits the mistake.
    for (int step = 0; step < self.size() - 1; ++step) {
      const bool swapped = self.id() == 3 && step != 0;
      co_yield send(self.next(), block[self.id() + 1 - step]);
      co_yield recv(self.prev(), block[swapped ? self.id() - 3 + step : self.id() - step]);
    }
  };
  const VerifyReport report = verify(world_of(4, 20), mutant);
  EXPECT_THAT(messages_of(report, "V3"),
              HasSubstr("rank 3 [5, 10) ends with the sum of elements [10, 15)\n"));
}

TEST(ContentMutants, WrongOwnerAfterTheReduceScatterShowsInTheResult) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Blocks block = self.blocks(self.size());
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
    }
    // Starts from block r, but rank r owns block r + 1.
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield recv(self.prev(), block[self.id() - step - 1]);
    }
  };
  const VerifyReport report = verify(world_of(4, 20), mutant);
  EXPECT_THAT(messages_of(report, "V2"), HasSubstr("rank 0 [0, 5) misses rank 1, rank 2, rank 3"));
}

TEST(ContentMutants, AddingElementsOfAnotherPlaceIsNamed) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Blocks half = self.blocks(2);
    co_yield send(peer, half[0]);
    co_yield recv_reduce(peer, half[1]);
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_THAT(
      messages_of(report, "V3"),
      HasSubstr("rank 0 [5, 10) ends with a sum of elements of different places, first when "
                "rank 0 receives and reduces [5, 10) from rank 1 (step 1)"));
}

TEST(ContentMutants, ReadOfUninitialisedScratchNamesReaderAndRange) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Range incoming = self.scratch(10);
    co_yield send(peer, self.vector().part(0, 6));
    co_yield recv(peer, incoming.part(0, 6));
    co_yield reduce(self.vector(), incoming);  // the last four never came
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_THAT(messages_of(report, "V4"),
              HasSubstr("rank 0 reduces [0, 10) of scratch 1 into [0, 10), but nothing was written "
                        "to [6, 10) of scratch 1 before"));
  EXPECT_EQ(report.finding_counts.count("V2"), 0U);  // follows from the above
}

TEST(ContentMutants, OwnFirstFoldAddsInAnotherOrderOnEveryRank) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    for (int hop = 1; hop < self.size(); ++hop) {
      const Range incoming = self.scratch(self.vector().count);
      co_yield send((self.id() + hop) % self.size(), self.vector());
      co_yield recv((self.id() + self.size() - hop) % self.size(), incoming);
    }
    for (int hop = 1; hop < self.size(); ++hop) {
      co_yield reduce(self.vector(), Range{hop, 0, self.vector().count});
    }
  };
  const VerifyReport report = verify(world_of(3, 6), mutant);
  EXPECT_THAT(messages_of(report, "V11"),
              HasSubstr("rank 0 and rank 1 add [0, 6) in different orders: "));
  VerifyOptions no_promise;
  no_promise.identical_ranks = false;
  EXPECT_EQ(verify(world_of(3, 6), mutant, no_promise).text(), "");
  // With two ranks the orders differ by commuting only, which gives the same bits.
  EXPECT_EQ(verify(world_of(2, 6), mutant).text(), "");
}

TEST(ContentMutants, RingDoesNotKeepRankOrder) {
  VerifyOptions ordered;
  ordered.in_rank_order = true;
  EXPECT_THAT(messages_of(verify(world_of(4, 8), plain_ring, ordered), "V10"),
              HasSubstr("rank 0 [4, 6) is not added in rank order: (1 + (0 + (2 + 3)))"));
  EXPECT_TRUE(verify(world_of(2, 8), plain_ring, ordered).ok());
}

TEST(ContentMutants, UselessMessageIsAWarning) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Range unused = self.scratch(3);
    co_yield send(peer, self.vector());
    co_yield recv_reduce(peer, self.vector());
    if (self.id() == 0) {
      co_yield send(1, self.vector().part(2, 3));
    } else {
      co_yield recv(0, unused);
    }
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.text(),
            "V15 warning: rank 0 sends [2, 5) to rank 1 (step 2), but no result depends on it\n");
}

}  // namespace
}  // namespace reducelab
