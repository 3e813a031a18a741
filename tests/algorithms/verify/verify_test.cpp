// Programs that are right: nothing is found, and the counts are those of the closed forms.
#include "algorithms/verify/verify.h"

#include "tests/algorithms/verify/verify_support.h"

namespace reducelab {
namespace {

/// A chain: reduces towards rank 0 in one strand and sends the result back in another, slice by
/// slice. What comes down a slice is ordered after what went up by messages alone.
Program chain_up(Rank self) {
  for (int i = 0; i < 4; ++i) {
    const Range slice = self.blocks(4)[i];
    if (self.id() + 1 < self.size()) co_yield recv_reduce(self.next(), slice);
    co_yield send(self.prev(), slice);
  }
}
Program chain_down(Rank self) {
  for (int i = 0; i < 4; ++i) {
    const Range slice = self.blocks(4)[i];
    co_yield recv(self.prev(), slice);
    if (self.id() + 1 < self.size()) co_yield send(self.next(), slice);
  }
}
Program two_strand_chain(Rank self) {
  if (self.id() == 0) {
    for (int i = 0; i < 4 && self.size() > 1; ++i) {
      co_yield recv_reduce(self.next(), self.blocks(4)[i]);
      co_yield send(self.next(), self.blocks(4)[i]);
    }
    co_return;
  }
  co_yield spawn(chain_up(self));
  co_yield run(chain_down(self));
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

/// An exchange whose strands touch the same range, ordered by join.
Program joined_exchange(Rank self) {
  const int peer = 1 - self.id();
  const Range incoming = self.scratch(self.vector().count);
  co_yield spawn(send_strand(self.on_channel(0), peer, self.vector()));
  co_yield run(recv_strand(self.on_channel(0), peer, incoming));
  co_yield join();
  co_yield reduce(self.vector(), incoming);
}

/// An exchange in which a strand uses what its parent did before the spawn, which is a fence.
Program spawned_exchange(Rank self) {
  const int peer = 1 - self.id();
  const Range copied = self.scratch(self.vector().count);
  co_yield copy(copied, self.vector());
  co_yield spawn(send_strand(self.on_channel(0), peer, copied));
  co_yield spawn(reduce_strand(self.on_channel(0), peer, self.vector()));
}

/// Ranks send to a server, which sums and answers.
Program worker(Rank self) {
  co_yield send(self.extra(0), self.vector());
  co_yield recv(self.extra(0), self.vector());
}
Program server(Rank self) {
  for (int rank = 0; rank < self.size(); ++rank) co_yield recv_reduce(rank, self.vector());
  for (int rank = 0; rank < self.size(); ++rank) co_yield send(rank, self.vector());
}

TEST(Verify, PlainRingHasNoFindings) {
  for (const int ranks : {1, 2, 3, 7, 16, 65}) {
    for (const std::int64_t count : {0, 1, ranks - 1, ranks, 1009}) {
      const VerifyReport report = verify(world_of(ranks, count), plain_ring);
      EXPECT_EQ(report.text(), "") << ranks << " ranks, " << count << " elements";
    }
  }
}

TEST(Verify, RingCostsWhatItsClosedFormSays) {
  const VerifyReport report = verify(world_of(8, 8000), plain_ring);
  EXPECT_EQ(report.messages, 8 * 14);
  EXPECT_EQ(report.steps, 14);
  EXPECT_EQ(report.bytes_sent, std::vector<std::int64_t>(8, 14 * 1000 * 4));
  EXPECT_EQ(report.bytes_received, report.bytes_sent);
  EXPECT_EQ(report.total_bytes(), 8 * 14 * 1000 * 4);
  EXPECT_DOUBLE_EQ(report.bytes_over_bound, 1);
  EXPECT_DOUBLE_EQ(report.steps_over_bound, 14.0 / 3);
  EXPECT_EQ(report.children, std::vector<int>(8, 1));
  EXPECT_EQ(report.scratch_bytes, std::vector<std::int64_t>(8, 0));
}

TEST(Verify, StepsDoNotDependOnTheWindow) {
  VerifyOptions narrow;
  narrow.window = 1;
  EXPECT_EQ(verify(world_of(8, 8000), plain_ring, narrow).steps, 14);
  EXPECT_EQ(verify(world_of(5, 1000), two_strand_chain, narrow).steps, 8);
}

TEST(Verify, StrandsOrderedByMessagesAloneDoNotRace) {
  for (const int ranks : {1, 2, 3, 6}) {
    EXPECT_EQ(verify(world_of(ranks, 1000), two_strand_chain).text(), "") << ranks;
  }
}

TEST(Verify, StrandsOrderedByJoinDoNotRace) {
  const VerifyReport report = verify(world_of(2, 10), joined_exchange);
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.scratch_bytes, std::vector<std::int64_t>(2, 40));
}

TEST(Verify, SpawnOrdersWhatCameBeforeIt) {
  EXPECT_EQ(verify(world_of(2, 10), spawned_exchange).text(), "");
}

TEST(Verify, ServersVectorStartsAsTheIdentity) {
  World world = world_of(3, 10);
  world.extras = 1;
  const ProgramFactory programs = [](Rank self) {
    return self.id() < self.size() ? worker(std::move(self)) : server(std::move(self));
  };
  const VerifyReport report = verify(world, programs);
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.children, (std::vector<int>{0, 0, 0, 3}));
}

TEST(Verify, KeepsFewFindingsOfAKindAndCountsTheRest) {
  const ProgramFactory nothing = [](Rank self) -> Program {
    (void)self;
    co_return;
  };
  VerifyOptions options;
  options.most_findings_per_id = 2;
  const VerifyReport report = verify(world_of(5, 10), nothing, options);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.finding_counts.at("V2"), 5);
  EXPECT_EQ(report.findings[1].message, "rank 1 [0, 10) misses rank 0, rank 2, rank 3, rank 4");
}

}  // namespace
}  // namespace reducelab
