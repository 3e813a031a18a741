#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sim/flow/sharing.h"

namespace reducelab {
namespace {

Link link_of(double bytes_per_s) {
  Link link;
  link.bandwidth_bytes_per_s = bytes_per_s;
  return link;
}

/// A path that crosses a link k times takes k times its rate there.
TEST(Sharing, CountsALinkAsOftenAsAPathCrossesIt) {
  const std::vector<Link> links{link_of(12), link_of(100)};
  Sharing sharing(links);
  std::map<FlowId, double> rates;
  const auto settle = [&] {
    sharing.settle([&](FlowId id, double rate) {
      rates[id] = rate;
      sharing[id].rate_bytes_per_s = rate;
    });
  };
  const double kNoCap = std::numeric_limits<double>::infinity();
  const PathId twice = sharing.open_path(std::vector<LinkId>{0, 1, 0}, kNoCap);
  const PathId once = sharing.open_path(std::vector<LinkId>{0}, kNoCap);
  const PathId capped = sharing.open_path(std::vector<LinkId>{0, 0, 0}, 1);
  const FlowId a = sharing.start(twice);
  settle();
  EXPECT_DOUBLE_EQ(rates[a], 6);
  const FlowId b = sharing.start(once);
  settle();
  EXPECT_DOUBLE_EQ(rates[a], 4);  // 2 x 4 + 4 = 12
  EXPECT_DOUBLE_EQ(rates[b], 4);
  const FlowId c = sharing.start(capped);
  settle();
  EXPECT_DOUBLE_EQ(rates[a], 3);  // 2 x 3 + 3 + 3 x 1 = 12
  EXPECT_DOUBLE_EQ(rates[b], 3);
  EXPECT_DOUBLE_EQ(rates[c], 1);
  sharing.end(b);
  sharing.end(c);
  settle();
  EXPECT_DOUBLE_EQ(rates[a], 6);
}

}  // namespace
}  // namespace reducelab
