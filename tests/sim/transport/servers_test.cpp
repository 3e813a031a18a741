#include "sim/transport/servers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace reducelab {
namespace {

const std::vector<RankTimeline> kNothingSlow;

ServerRequest request(std::uint64_t token, double asked_s, double nominal_s, Turn turn,
                      std::uint32_t device = 0) {
  return {
      .device = device, .nominal_s = nominal_s, .asked_s = asked_s, .turn = turn, .token = token};
}

/// Who is served, and when each is done.
std::vector<std::pair<std::uint64_t, double>> served(Servers& servers) {
  std::vector<std::pair<std::uint64_t, double>> result;
  servers.serve([&](const ServerRequest& request, ServerUse use) {
    result.emplace_back(request.token, use.end_s);
  });
  return result;
}

TEST(Servers, ServesTheRequestsOfOneInstantInOneOrderHoweverTheyCome) {
  std::vector<ServerRequest> requests{
      request(0, 1, 0.5, {Turn::Kind::receive, 1}), request(1, 1, 0.25, {Turn::Kind::receive, 2}),
      request(2, 1, 0.5, {Turn::Kind::send, 1, 0}), request(3, 1, 0.25, {Turn::Kind::send, 1, 7}),
      request(4, 1, 0.5, {Turn::Kind::local, 0, 3})};
  std::vector<int> order{0, 1, 2, 3, 4};
  do {
    Servers servers(1, 1, kNothingSlow);
    for (const int i : order) servers.ask(requests[static_cast<std::size_t>(i)]);
    EXPECT_EQ(served(servers), (std::vector<std::pair<std::uint64_t, double>>{
                                   {0, 1.5}, {1, 1.75}, {2, 2.25}, {3, 2.5}, {4, 3}}));
  } while (std::ranges::next_permutation(order).found);
}

TEST(Servers, KeepsTheOrderOfOneConnection) {
  Servers servers(1, 1, kNothingSlow);
  EXPECT_TRUE(servers.ask(request(8, 1, 1, {Turn::Kind::send, 3})));
  EXPECT_FALSE(servers.ask(request(2, 1, 1, {Turn::Kind::send, 3})));
  EXPECT_EQ(served(servers), (std::vector<std::pair<std::uint64_t, double>>{{8, 2}, {2, 3}}));
}

TEST(Servers, BeginsWhenAskedNotWhenTheInstantIsOver) {
  Servers servers(1, 1, kNothingSlow);
  EXPECT_GT(Servers::end_of_instant_s(1), 1);
  servers.ask(request(1, 1, 0.5, {}));
  EXPECT_EQ(served(servers).front().second, 1.5);
}

TEST(Servers, OfOneDeviceShareTheWorkAndThoseOfAnotherHaveTheirOwn) {
  Servers servers(2, 2, kNothingSlow);
  for (const std::uint64_t i : {1, 2, 3}) {
    servers.ask(request(i, 0, 1, {Turn::Kind::send, static_cast<int>(i)}));
  }
  servers.ask(request(4, 0, 1, {}, 1));
  EXPECT_EQ(served(servers),
            (std::vector<std::pair<std::uint64_t, double>>{{1, 1}, {2, 1}, {3, 2}, {4, 1}}));
}

TEST(Servers, LetWorkThatTakesNoTimeWaitOnlyForWhatIsUnderWay) {
  Servers servers(1, 1, kNothingSlow);
  EXPECT_EQ(servers.use(request(1, 5, 0, {})).end_s, 5);
  servers.ask(request(2, 5, 2, {}));
  EXPECT_EQ(servers.use(request(3, 5, 0, {})).end_s, 5);
  served(servers);
  EXPECT_EQ(servers.use(request(4, 6, 0, {})).end_s, 7);
}

TEST(Servers, TakeWorkThatIsAskedForWhileTheyServe) {
  Servers servers(1, 1, kNothingSlow);
  servers.ask(request(1, 0, 1, {}));
  servers.serve([&](const ServerRequest& first, ServerUse use) {
    EXPECT_EQ(first.token, 1u);
    EXPECT_TRUE(servers.ask(request(2, use.end_s, 1, {})));
  });
  EXPECT_EQ(served(servers), (std::vector<std::pair<std::uint64_t, double>>{{2, 2}}));
}

}  // namespace
}  // namespace reducelab
