#include "sim/scenario/link_timeline.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::ElementsAre;

TEST(PulseTrain, EdgesAndStatesAgreeToTheLastBit) {
  const PulseTrain train{0.1, 0.03, 0.07, 70};
  double t = 0;
  bool active = false;
  int edges = 0;
  for (double next = train.next_edge_after(t); next < kForever; next = train.next_edge_after(t)) {
    ASSERT_GT(next, t);
    EXPECT_EQ(train.active_at(std::nextafter(next, 0)), active);
    EXPECT_TRUE(train.has_edge_at(next));
    EXPECT_FALSE(train.has_edge_at(std::nextafter(next, kForever)));
    active = !active;
    EXPECT_EQ(train.active_at(next), active) << next;
    t = next;
    ++edges;
  }
  EXPECT_FALSE(active);
  EXPECT_EQ(edges, 2 * 999);  // starts 0.1 + 0.07 k before 70: k = 0 ... 998
}

TEST(PulseTrain, TheEndCutsThePulseUnderWay) {
  const PulseTrain train{1, 0.5, 2, 3.25};
  EXPECT_TRUE(train.active_at(3.1));
  EXPECT_EQ(train.next_edge_after(3.1), 3.25);
  EXPECT_FALSE(train.active_at(3.25));
  EXPECT_EQ(train.next_edge_after(3.25), kForever);
  EXPECT_FALSE(train.active_at(5.1));
}

TEST(LinkTimelines, ChangesCombine) {
  const Topology topology = four_by_eight();
  const LinkId link = 0;
  const double own = topology.link(link).bandwidth_bytes_per_s;
  LinkTimelines timelines;
  const std::vector<LinkId> links{link};
  timelines.add(topology, links, PulseTrain::once({0, 10}), {0.5, {}, 1e-6, false});
  timelines.add(topology, links, PulseTrain::once({5, 20}), {0.25, {}, 2e-6, false});
  timelines.add(topology, links, PulseTrain::once({8, 9}), {1, 1e9, 0, false});
  timelines.add(topology, links, PulseTrain::once({8.5, 12}), {1, {}, 0, true});
  EXPECT_EQ(timelines.at(link, 0), (LinkState{own * 0.5, 1e-6, true}));
  EXPECT_EQ(timelines.at(link, 5), (LinkState{own * 0.125, 1e-6 + 2e-6, true}));
  EXPECT_EQ(timelines.at(link, 8), (LinkState{1e9 * 0.125, 1e-6 + 2e-6, true}));
  EXPECT_FALSE(timelines.at(link, 9).up);
  EXPECT_EQ(timelines.at(link, 12), (LinkState{own * 0.25, 2e-6, true}));
  EXPECT_EQ(timelines.at(link, 20), (LinkState{own, 0, true}));

  std::vector<double> changes;
  for (double t = timelines.next_change_after(0); t < kForever;
       t = timelines.next_change_after(t)) {
    changes.push_back(t);
  }
  EXPECT_THAT(changes, ElementsAre(5, 8, 8.5, 9, 10, 12, 20));
}

TEST(LinkTimelines, OnlyTheLinksOfARuleChangeWithIt) {
  const Topology topology = four_by_eight();
  LinkTimelines timelines;
  timelines.add(topology, std::vector<LinkId>{7, 3, 3}, PulseTrain{1, 0.5, 2, kForever},
                {1, {}, 0, true});
  timelines.add(topology, std::vector<LinkId>{5}, PulseTrain::once({3, 4}), {0.5, {}, 0, false});
  EXPECT_THAT(timelines.links(), ElementsAre(3, 5, 7));
  EXPECT_THAT(timelines.links_changing_at(1), ElementsAre(3, 7));
  EXPECT_THAT(timelines.links_changing_at(3), ElementsAre(3, 5, 7));
  EXPECT_THAT(timelines.links_changing_at(4), ElementsAre(5));
  EXPECT_THAT(timelines.links_changing_at(2), ElementsAre());
  EXPECT_FALSE(timelines.changes(4));
}

TEST(LinkTimelines, FlappingNeverRunsOut) {
  const Topology topology = four_by_eight();
  LinkTimelines timelines;
  timelines.add(topology, std::vector<LinkId>{0}, PulseTrain{1, 0.25, 2, kForever},
                {1, {}, 0, true});
  const double late = 1 + 2e9;
  EXPECT_FALSE(timelines.at(0, late).up);
  EXPECT_EQ(timelines.next_change_after(late), late + 0.25);
}

}  // namespace
}  // namespace reducelab
