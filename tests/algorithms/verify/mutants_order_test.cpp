// Programs with one planted mistake in their order: deadlocks, eager dependence and races.
#include "tests/algorithms/verify/verify_support.h"

namespace reducelab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DeadlockMutants, BlockingSendRingNamesTheCycleAndTheEagerThreshold) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Blocks block = self.blocks(self.size());
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() - step]);
      co_yield fence();
      co_yield recv_reduce(self.prev(), block[self.id() - step - 1]);
    }
    for (int step = 0; step < self.size() - 1; ++step) {
      co_yield send(self.next(), block[self.id() + 1 - step]);
      co_yield recv(self.prev(), block[self.id() - step]);
    }
  };
  const VerifyReport report = verify(world_of(3, 15), mutant);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(messages_of(report, "V6"),
              HasSubstr("deadlock under rendezvous: rank 0 -> rank 1 -> rank 2 -> rank 0 (rank 0 "
                        "waits to send [0, 5) to rank 1; rank 1 waits to send [5, 10) to rank 2; "
                        "rank 2 waits to send [10, 15) to rank 0)"));
  EXPECT_THAT(messages_of(report, "V7"),
              HasSubstr("unsafe: depends on an eager threshold of at least 20 bytes"));
  EXPECT_EQ(report.finding_counts.count("V2"), 0U);  // it is right once it completes
  EXPECT_EQ(report.messages, 12U);
}

TEST(DeadlockMutants, EagerThresholdIsTheSmallestThatSuffices) {
  // Both send before they receive; it is enough that rank 1's shorter message is eager.
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Range part = self.vector().part(0, 4);
    const Range rest = self.vector().part(4, 8);
    co_yield send(1 - self.id(), self.id() == 0 ? rest : part);
    co_yield fence();
    co_yield recv_reduce(1 - self.id(), self.id() == 0 ? part : rest);
    co_yield send(1 - self.id(), self.id() == 0 ? part : rest);
    co_yield recv(1 - self.id(), self.id() == 0 ? rest : part);
  };
  const VerifyReport report = verify(world_of(2, 12), mutant);
  EXPECT_THAT(messages_of(report, "V7"), HasSubstr("at least 16 bytes"));
}

TEST(DeadlockMutants, CyclicWaitIsADeadlockThatNoBufferingCures) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const Range incoming = self.scratch(self.vector().count);
    co_yield recv(self.prev(), incoming);
    co_yield fence();
    co_yield send(self.next(), self.vector());
  };
  const VerifyReport report = verify(world_of(4, 8), mutant);
  EXPECT_THAT(messages_of(report, "V6"),
              AllOf(HasSubstr("rank 0 -> rank 3 -> rank 2 -> rank 1 -> rank 0"),
                    HasSubstr("rank 0 waits to receive [0, 8) of scratch 1 from rank 3")));
  EXPECT_EQ(report.finding_counts.count("V7"), 0U);
  EXPECT_EQ(report.messages, 0U);
}

TEST(DeadlockMutants, WindowThatIsTooSmallIsNamedWithTheLeastThatSuffices) {
  // Each rank posts three sends before its first receive.
  const ProgramFactory program = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Range incoming = self.scratch(self.vector().count);
    for (int i = 0; i < 3; ++i) co_yield send(peer, self.blocks(3)[i]);
    for (int i = 0; i < 3; ++i) co_yield recv(peer, Blocks(incoming, 3)[i]);
    co_yield reduce(self.vector(), incoming);
  };
  VerifyOptions narrow;
  narrow.window = 2;
  EXPECT_THAT(messages_of(verify(world_of(2, 9), program, narrow), "V6"),
              HasSubstr("it needs a window of at least 3 messages, not 2"));
  EXPECT_EQ(verify(world_of(2, 9), program).text(), "");
}

Program send_strand(Rank, int peer, Range range) {
  co_yield send(peer, range);
}
Program recv_strand(Rank, int peer, Range range) {
  co_yield recv(peer, range);
}
Program reduce_strand(Rank, int peer, Range range) {
  co_yield recv_reduce(peer, range);
}

TEST(RaceMutants, InPlaceReceiveOfWhatAnotherStrandSendsRaces) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    co_yield spawn(send_strand(self.on_channel(0), peer, self.vector()));
    co_yield spawn(reduce_strand(self.on_channel(0), peer, self.vector()));
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_THAT(messages_of(report, "V5"),
              HasSubstr("rank 0: strand 1 sends [0, 10) to rank 1 (step 1) and strand 2 receives "
                        "and reduces [0, 10) from rank 1 (step 1) race: nothing orders them"));
}

TEST(RaceMutants, ForgottenJoinRaces) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Range incoming = self.scratch(self.vector().count);
    co_yield spawn(recv_strand(self.on_channel(0), peer, incoming));
    co_yield spawn(send_strand(self.on_channel(0), peer, self.vector()));
    co_yield fence();  // of its own operations only
    co_yield reduce(self.vector(), incoming);
  };
  EXPECT_GE(verify(world_of(2, 10), mutant).finding_counts.at("V5"), 2);
}

TEST(RaceMutants, OverlappingPartsOfTwoChannelsRaceOnTheirCommonElementsOnly) {
  const auto programs = [](std::int64_t overlap) -> ProgramFactory {
    return [overlap](Rank self) {
      return [](Rank rank, std::int64_t common) -> Program {
        const Range low = rank.vector().part(0, 5 + common);
        const Range high = rank.vector().part(5, 5);
        const int peer = 1 - rank.id();
        for (int tag = 0; tag < 2; ++tag) {
          const Rank channel = rank.on_channel(tag);
          const Range range = tag == 0 ? low : high;
          if (rank.id() == 0) {
            co_yield spawn(send_strand(channel, peer, range));
          } else {
            co_yield spawn(reduce_strand(channel, peer, range));
          }
        }
        co_yield join();
        if (rank.id() == 0) co_yield recv(peer, rank.vector());
        if (rank.id() == 1) co_yield send(peer, rank.vector());
      }(std::move(self), overlap);
    };
  };
  EXPECT_EQ(verify(world_of(2, 10), programs(0)).text(), "");
  const VerifyReport report = verify(world_of(2, 10), programs(1));
  EXPECT_THAT(messages_of(report, "V5"),
              HasSubstr("rank 1: strand 1 receives and reduces [0, 6) from rank 0"));
  EXPECT_THAT(messages_of(report, "V2"), HasSubstr("rank 0 [5, 6) counts rank 0 twice"));
}

/// Rank 0 sends its vector in one strand and receives over it in another. Whether the answer comes
/// after the question is up to rank 1.
Program ask(Rank self) {
  co_yield spawn(send_strand(self.on_channel(0), 1, self.vector()));
  co_yield spawn(recv_strand(self.on_channel(1), 1, self.vector()));
}

TEST(RaceMutants, AnswerThatDependsOnTheQuestionOrdersTheTwoStrands) {
  const auto programs = [](bool depends) -> ProgramFactory {
    return [depends](Rank self) {
      if (self.id() == 0) return ask(std::move(self));
      return [](Rank rank, bool waits) -> Program {
        const Range incoming = rank.scratch(rank.vector().count);
        const Rank question = rank.on_channel(0);
        const Rank answer = rank.on_channel(1);
        if (waits) {
          co_yield run(reduce_strand(question, 0, rank.vector()));
          co_yield run(send_strand(answer, 0, rank.vector()));
        } else {
          co_yield run(recv_strand(question, 0, incoming));
          co_yield run(send_strand(answer, 0, rank.vector()));
          co_yield reduce(rank.vector(), incoming);
        }
      }(std::move(self), depends);
    };
  };
  EXPECT_EQ(verify(world_of(2, 10), programs(true)).text(), "");
  EXPECT_THAT(messages_of(verify(world_of(2, 10), programs(false)), "V5"),
              AllOf(HasSubstr("rank 0: strand 1 sends [0, 10) to rank 1"),
                    HasSubstr("strand 2 receives [0, 10) from rank 1")));
}

TEST(RaceMutants, StrandsThatShareAConnectionDependOnTiming) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    const int peer = 1 - self.id();
    const Blocks half = self.blocks(2);
    if (self.id() == 0) {
      co_yield spawn(send_strand(self, peer, half[0]));
      co_yield spawn(send_strand(self, peer, half[1]));
      co_yield join();
      co_yield recv(peer, self.vector());
    } else {
      co_yield recv_reduce(peer, half[0]);
      co_yield recv_reduce(peer, half[1]);
      co_yield send(peer, self.vector());
    }
  };
  const VerifyReport report = verify(world_of(2, 10), mutant);
  EXPECT_EQ(
      report.text(),
      "V12 error: rank 0: strand 1 sends [0, 5) to rank 1 (step 1) and strand 2 sends [5, 10) "
      "to rank 1 (step 1) on one connection, and nothing orders them: which comes first "
      "depends on timing (give each a channel)\n");
}

TEST(RaceMutants, CopyOntoPartOfItselfIsNamed) {
  const ProgramFactory mutant = [](Rank self) -> Program {
    co_yield copy(self.vector().part(2, 5), self.vector().part(0, 5));
  };
  EXPECT_THAT(
      messages_of(verify(world_of(1, 10), mutant), "V5"),
      HasSubstr("rank 0: operation 1, a copy of [2, 7), reads [0, 5), which it overwrites"));
}

}  // namespace
}  // namespace reducelab
