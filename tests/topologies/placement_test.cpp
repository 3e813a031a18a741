#include "topologies/placement.h"

#include <gmock/gmock.h>

#include "tests/topologies/error_of.h"
#include "topologies/catalogue.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const Topology& topology, const std::vector<DeviceId>& devices) {
  std::vector<std::string> found;
  for (const DeviceId id : devices) found.push_back(topology.device(id).name);
  return found;
}

TEST(Placement, BlockFillsNodeAfterNode) {
  const Topology topology = resolve_topology("dgx-h100:nodes=2,gpus=4");
  EXPECT_THAT(names(topology, place_ranks(topology, 5, "block")),
              ElementsAre("n0.gpu0", "n0.gpu1", "n0.gpu2", "n0.gpu3", "n1.gpu0"));
}

TEST(Placement, CyclicTakesOneOfEachNodeInTurn) {
  const Topology topology = resolve_topology("dgx-h100:nodes=3,gpus=4");
  EXPECT_THAT(names(topology, place_ranks(topology, 5, "cyclic")),
              ElementsAre("n0.gpu0", "n1.gpu0", "n2.gpu0", "n0.gpu1", "n1.gpu1"));
}

TEST(Placement, AListGivesThePlacesAndExtrasTakeUnusedOnes) {
  const Topology topology = resolve_topology("single-switch:hosts=12");
  EXPECT_THAT(names(topology, place_ranks(topology, 4, "0,8, 1,9", 3)),
              ElementsAre("h0", "h8", "h1", "h9", "h2", "h3", "h4"));
}

TEST(Placement, ExtrasFollowTheRanks) {
  const Topology topology = resolve_topology("single-switch:hosts=6");
  EXPECT_THAT(names(topology, place_ranks(topology, 3, "block", 2)),
              ElementsAre("h0", "h1", "h2", "h3", "h4"));
}

TEST(Placement, TooFewPlacesIsAUsageErrorWithBothNumbers) {
  const Topology topology = resolve_topology("dgx-h100:nodes=4");
  EXPECT_THAT(error_of([&] { place_ranks(topology, 33, "block"); }),
              HasSubstr("topology \"dgx-h100:nodes=4\" has 32 places, 33 are needed"));
  EXPECT_THAT(error_of([&] { place_ranks(topology, 32, "cyclic", 1); }),
              HasSubstr("32 places, 33 are needed (32 ranks and 1 extra participants)"));
}

TEST(Placement, RefusesDuplicatesIndicesOutOfRangeAndWrongCounts) {
  const Topology topology = resolve_topology("single-switch:hosts=4");
  const auto text = [&](int ranks, std::string_view placement) {
    return error_of([&] { place_ranks(topology, ranks, placement); });
  };
  EXPECT_THAT(text(2, "1,1"), HasSubstr("place 1 is given to rank 0 and again to rank 1"));
  EXPECT_THAT(text(2, "0,4"), HasSubstr("place 4 does not exist; the topology has places 0 to 3"));
  EXPECT_THAT(text(2, "0,-1"), HasSubstr("place -1 does not exist"));
  EXPECT_THAT(text(2, "0,99999999999"), HasSubstr("place 99999999999 does not exist"));
  EXPECT_THAT(text(2, "0,,1"), HasSubstr("\"\" is not the index of a place"));
  EXPECT_THAT(text(3, "0,1"), HasSubstr("lists 2 places, 3 ranks need one each"));
  EXPECT_THAT(text(2, "cyclc"), HasSubstr("did you mean \"cyclic\"?"));
  EXPECT_THAT(text(0, "block"), HasSubstr("at least 1 rank is needed, not 0"));
}

TEST(RanksByNode, GroupsInOrderOfFirstAppearance) {
  const Topology topology = resolve_topology("dgx-h100:nodes=2,gpus=2");
  EXPECT_THAT(ranks_by_node(topology, place_ranks(topology, 4, "2,0,3,1"), 4),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
}

TEST(RanksByNode, ADeviceWithoutAChassisIsANodeOfItsOwnAndExtrasAreLeftOut) {
  Topology topology("t");
  std::vector<DeviceId> placement;
  for (const char* name : {"a", "b", "c"}) {
    placement.push_back(topology.add_device({name, DeviceKind::host, -1, 0}));
  }
  EXPECT_THAT(ranks_by_node(topology, placement, 2), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

}  // namespace
}  // namespace reducelab
