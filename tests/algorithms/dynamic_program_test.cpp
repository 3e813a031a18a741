// Programs that await: recv_any, sleep and now, in a world where each message takes the time that
// its sender slept before.
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/execution/logical_fabric.h"
#include "algorithms/verify/verify.h"
#include "core/error.h"

namespace reducelab {
namespace {

struct Seen {
  std::vector<int> order;
  std::vector<double> times;
};

/// Runs `program` on `ranks` ranks without time.
template <class MakeProgram>
void run_all(int ranks, std::int64_t count, ExecutionLimits limits, MakeProgram make) {
  World world;
  world.ranks = ranks;
  world.count = count;
  LogicalFabric fabric;
  Execution execution(world, limits, fabric);
  fabric.attach(execution);
  for (int id = 0; id < ranks; ++id) {
    execution.start(id, make(Rank(world, id, execution.scratch_counter(id))));
  }
  fabric.run();
  execution.require_complete();
}

/// Rank 0 takes one message of each other rank, in whatever order they come.
Program gather_any(Rank self, Seen* seen) {
  if (self.id() != 0) {
    for (int turn = 0; turn < self.id(); ++turn) co_await self.sleep(1);
    co_yield send(0, self.vector());
    co_return;
  }
  std::vector<int> left;
  for (int peer = self.size() - 1; peer > 0; --peer) left.push_back(peer);
  while (!left.empty()) {
    const int peer = co_await self.recv_reduce_any(left, self.vector());
    std::erase(left, peer);
    seen->order.push_back(peer);
    seen->times.push_back(co_await self.now());
  }
}

TEST(DynamicProgram, recv_any_takes_whoever_sends_first) {
  for (const std::int64_t eager : {std::int64_t{-1}, std::int64_t{1} << 20}) {
    Seen seen;
    run_all(5, 8, {.window = 1, .eager_bytes = eager},
            [&](Rank self) { return gather_any(self, &seen); });
    EXPECT_EQ(seen.order, (std::vector<int>{1, 2, 3, 4}));
  }
}

/// Two strands of rank 0 await on channels of their own, beside each other.
Program child(Rank self, std::vector<int>* order) {
  const std::vector<int> peers{1, 2};
  order->push_back(co_await self.recv_any(peers, self.vector()));
}
Program two_strands(Rank self, std::vector<int>* order) {
  const Blocks half = self.blocks(2);
  for (int c = 0; c < 2; ++c) {
    const Rank view = self.on_part(half[c]).on_channel(c);
    if (self.id() == 0) {
      co_yield spawn(child(view, order));
    } else if (self.id() == 1 + c) {
      co_yield send(0, half[c]);
    }
  }
  co_yield join();
}

TEST(DynamicProgram, strands_await_independently) {
  // The sends go by the whole view's channel, so nobody on a sub-channel ever hears them.
  std::vector<int> order;
  EXPECT_THROW(run_all(3, 8, {}, [&](Rank self) { return two_strands(self, &order); }), Error);
  EXPECT_TRUE(order.empty());
}

TEST(DynamicProgram, a_recv_any_that_nobody_answers_is_a_deadlock_with_a_reason) {
  try {
    run_all(2, 8, {}, [](Rank self) -> Program {
      return [](Rank me) -> Program {
        const std::vector<int> peers{1};
        if (me.id() == 0) co_await me.recv_any(peers, me.vector());
      }(self);
    });
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("from any of its peers"), std::string::npos)
        << error.what();
  }
}

TEST(DynamicProgram, a_later_receive_in_order_goes_on_after_a_recv_any_of_the_same_peer) {
  std::vector<int> order;
  run_all(2, 8, {.window = 2, .eager_bytes = -1}, [&](Rank self) -> Program {
    return [](Rank me, std::vector<int>* seen) -> Program {
      const Blocks half = me.blocks(2);
      if (me.id() == 1) {
        co_yield send(0, half[0]);
        co_yield send(0, half[1]);
        co_return;
      }
      const std::vector<int> peers{1};
      seen->push_back(co_await me.recv_any(peers, half[0]));
      co_yield recv(1, half[1]);
    }(self, &order);
  });
  EXPECT_EQ(order, std::vector<int>{1});
}

}  // namespace
}  // namespace reducelab
