#include "topologies/toml_reader.h"

#include <gmock/gmock.h>

#include "tests/topologies/error_of.h"
#include "topologies/router.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kTwoHosts = R"(name = "pair"
[[device]]
name = "a"
kind = "host"
node = 0
[[device]]
name = "sw"
kind = "switch"
latency = "200ns"
[[device]]
name = "b"
kind = "host"
node = 1
[[link]]
between = ["a", "sw"]
bandwidth = "100Gbps"
latency = "1us"
[[link]]
between = ["b", "sw"]
bandwidth = "10GBps"
latency = "1.5us"
)";

std::string read_error(const std::string& text) {
  return error_of([&] { read_topology_toml(text, "my.toml"); });
}

/// kTwoHosts with one piece of text replaced.
std::string changed(std::string_view piece, std::string_view by) {
  std::string text(kTwoHosts);
  const auto place = text.find(piece);
  EXPECT_NE(place, text.npos) << piece;
  return text.replace(place, piece.size(), by);
}

TEST(TopologyToml, ReadsDevicesAndLinks) {
  const Topology topology = read_topology_toml(kTwoHosts, "my.toml");
  EXPECT_EQ(topology.name(), "pair");
  ASSERT_EQ(topology.devices().size(), 3u);
  ASSERT_EQ(topology.links().size(), 4u);
  EXPECT_EQ(topology.device(0), (Device{"a", DeviceKind::host, 0, 0}));
  EXPECT_EQ(topology.link(3), (Link{"sw->b", 1, 2, 1e10, 1.5e-6, LinkKind::network, false}));
  Router router(topology);
  EXPECT_NEAR(router.route(0, 2).latency_s, 2.7e-6, 1e-18);
  EXPECT_DOUBLE_EQ(router.route(0, 2).bandwidth_bytes_per_s, 1e10);
}

TEST(TopologyToml, ReadsOneWayNamedAndHalfDuplexLinks) {
  const std::string text = std::string(kTwoHosts) + R"([[link]]
from = "a"
to = "b"
bandwidth = "1Gbps"
latency = "0"
kind = "pcie"
[[link]]
name = "bus"
between = ["a", "b"]
duplex = "half"
bandwidth = "1Gbps"
latency = "0s"
[[link]]
name = "backup"
between = ["a", "b"]
bandwidth = "1Gbps"
latency = "0s"
)";
  const Topology topology = read_topology_toml(text, "my.toml");
  ASSERT_EQ(topology.links().size(), 8u);
  EXPECT_EQ(topology.link(4), (Link{"a->b", 0, 2, 1.25e8, 0, LinkKind::pcie, false}));
  EXPECT_EQ(topology.link(5), (Link{"bus", 0, 2, 1.25e8, 0, LinkKind::network, true}));
  EXPECT_EQ(topology.link(6).name, "backup:a->b");
  EXPECT_EQ(topology.link(7).name, "backup:b->a");
}

TEST(TopologyToml, TakesTheNameFromTheFileIfThereIsNone) {
  EXPECT_EQ(read_topology_toml("[builder]\nkind = \"torus\"\ndims = [4, 2]\n", "d/lab.toml").name(),
            "lab");
}

TEST(TopologyToml, OverridesChangeLinksByNameOrGlob) {
  const Topology topology = read_topology_toml(R"([builder]
kind = "single-switch"
hosts = 12
bandwidth = "100Gbps"
latency = "2us"
[[override]]
links = "h1?->*"
bandwidth = "25Gbps"
[[override]]
links = ["h3->switch", "switch->h3"]
latency = "7us"
)",
                                               "my.toml");
  for (const Link& link : topology.links()) {
    const bool slow = link.name == "h10->switch" || link.name == "h11->switch";
    const bool late = link.name == "h3->switch" || link.name == "switch->h3";
    EXPECT_DOUBLE_EQ(link.bandwidth_bytes_per_s, slow ? 3.125e9 : 12.5e9) << link.name;
    EXPECT_DOUBLE_EQ(link.latency_s, late ? 7e-6 : 1e-6) << link.name;
  }
}

TEST(TopologyToml, ArgumentsReplaceThoseOfTheBuilder) {
  const std::vector<BuilderArgument> more{{"hosts", "3", {}}};
  const Topology topology =
      read_topology_toml("[builder]\nkind = \"single-switch\"\nhosts = 2\n", "x.toml", more);
  EXPECT_EQ(topology.endpoints().size(), 3u);
  EXPECT_THAT(error_of([&] { read_topology_toml(kTwoHosts, "x.toml", more); }),
              StartsWith("x.toml: parameter \"hosts\" is given"));
}

TEST(TopologyTomlErrors, UnknownKeysHaveTheirPlaceAndASuggestion) {
  EXPECT_THAT(read_error(changed("latency = \"1us\"", "latncy = \"1us\"")),
              StartsWith("my.toml:17:1: unknown key \"latncy\"; did you mean \"latency\"?"));
  EXPECT_THAT(read_error("nam = \"x\"\n"),
              StartsWith("my.toml:1:1: unknown key \"nam\"; did you mean \"name\"?"));
  EXPECT_THAT(read_error(changed("node = 0", "nod = 0")),
              StartsWith("my.toml:5:1: unknown key \"nod\"; did you mean \"node\"?"));
}

TEST(TopologyTomlErrors, ImpossibleValuesAreRefusedInTheirPlace) {
  const auto with_bandwidth = [](std::string_view value) {
    return read_error(changed("bandwidth = \"100Gbps\"", fmt::format("bandwidth = {}", value)));
  };
  const std::string place = "my.toml:16:13: ";
  EXPECT_THAT(with_bandwidth("\"-1Gbps\""), StartsWith(place + "bandwidth must not be negative"));
  EXPECT_THAT(with_bandwidth("\"0Gbps\""), StartsWith(place + "bandwidth must be above zero"));
  EXPECT_THAT(with_bandwidth("\"nanGbps\""), StartsWith(place + "cannot read \"nanGbps\""));
  EXPECT_THAT(with_bandwidth("\"infGbps\""), StartsWith(place + "cannot read \"infGbps\""));
  EXPECT_THAT(with_bandwidth("\"1001Tbps\""),
              StartsWith(place + "bandwidth \"1001Tbps\" is beyond"));
  EXPECT_THAT(with_bandwidth("\"100\""), StartsWith(place + "cannot read \"100\" as a bandwidth"));
  EXPECT_THAT(with_bandwidth("nan"), StartsWith(place + "bandwidth must be a text in quotes"));
  EXPECT_THAT(with_bandwidth("100"), StartsWith(place + "bandwidth must be a text in quotes"));
  EXPECT_THAT(read_error(changed("\"1us\"", "\"-1us\"")),
              StartsWith("my.toml:17:11: duration must not be negative"));
  EXPECT_THAT(read_error(changed("\"1us\"", "\"11s\"")),
              StartsWith("my.toml:17:11: latency \"11s\" is beyond 10s"));
  EXPECT_THAT(read_error(changed("node = 1", "node = -2")),
              StartsWith("my.toml:13:8: node must be between -1"));
  EXPECT_THAT(read_error(changed("node = 1", "node = 1.5")),
              StartsWith("my.toml:13:8: node must be a whole number"));
}

TEST(TopologyTomlErrors, MissingAndWrongPartsAreNamed) {
  EXPECT_THAT(read_error(changed("bandwidth = \"100Gbps\"\n", "")),
              StartsWith("my.toml:14:1: key \"bandwidth\" is missing here"));
  EXPECT_THAT(read_error(changed("[\"a\", \"sw\"]", "[\"a\", \"sv\"]")),
              StartsWith("my.toml:15:17: unknown device \"sv\"; did you mean \"sw\"?"));
  EXPECT_THAT(read_error(changed("[\"a\", \"sw\"]", "[\"a\"]")),
              StartsWith("my.toml:15:11: between must name two devices, not 1"));
  EXPECT_THAT(read_error(changed("[\"a\", \"sw\"]", "[\"a\", \"a\"]")),
              StartsWith("my.toml:14:1: a link joins \"a\" to itself"));
  EXPECT_THAT(read_error(changed("kind = \"switch\"", "kind = \"swich\"")),
              StartsWith("my.toml:8:8: unknown kind \"swich\"; did you mean \"switch\"?"));
  EXPECT_THAT(read_error(changed("name = \"b\"", "name = \"a\"")),
              StartsWith("my.toml:11:8: name \"a\" is used twice"));
  EXPECT_THAT(read_error("name = \"x\"\n"), StartsWith("my.toml:1:1: no [builder]"));
  EXPECT_THAT(read_error("device = 3\n"), StartsWith("my.toml:1:10: device must be written as"));
  EXPECT_THAT(read_error(std::string(kTwoHosts) + "[[override]]\nlinks = \"a->swx\"\n"
                                                  "latency = \"1us\"\n"),
              StartsWith("my.toml:23:9: no link matches \"a->swx\"; did you mean \"a->sw\"?"));
}

TEST(TopologyTomlErrors, SyntaxFaultsHaveTheirPlace) {
  EXPECT_THAT(read_error("name = \"x\"\n[[device]\n"), StartsWith("my.toml:2:"));
  EXPECT_THAT(read_error("name = \"x"), StartsWith("my.toml:1:"));
  EXPECT_THAT(read_error("name = \"x\"\nname = \"y\"\n"), StartsWith("my.toml:2:"));
}

TEST(TopologyTomlErrors, BuilderFaultsHaveTheirPlace) {
  EXPECT_THAT(
      read_error("[builder]\nkind = \"leaf-spin\"\n"),
      StartsWith("my.toml:2:8: unknown builder \"leaf-spin\"; did you mean \"leaf-spine\"?"));
  EXPECT_THAT(read_error("[builder]\nhosts = 4\n"),
              StartsWith("my.toml:1:1: key \"kind\" is missing"));
  EXPECT_THAT(read_error("[builder]\nkind = \"single-switch\"\n host = 4\n"),
              StartsWith("my.toml:3:2: unknown parameter of single-switch \"host\"; did you mean "
                         "\"hosts\"?"));
  EXPECT_THAT(read_error("[builder]\nkind = \"single-switch\"\nhosts = 0\n"),
              StartsWith("my.toml:3:9: hosts of single-switch: 0 is not between 1 and "));
  EXPECT_THAT(read_error(std::string(kTwoHosts) + "[builder]\nkind = \"torus\"\n"),
              HasSubstr("device cannot stand beside [builder]"));
}

TEST(TopologyTomlErrors, DimensionOrderNeedsExtentsThatFitTheDevices) {
  const std::string text(kTwoHosts);
  EXPECT_THAT(read_error("routing = \"dimension-order\"\n" + text),
              StartsWith("my.toml:1:11: routing needs both"));
  EXPECT_THAT(read_error("dims = [3]\n" + text), StartsWith("my.toml:1:8: dims needs both"));
  const std::string head = "routing = \"dimension-order\"\n";
  EXPECT_THAT(read_error(head + "dims = [2, 2]\n" + text),
              StartsWith("my.toml:2:8: dims describe 4 positions, but there are 3 devices"));
  EXPECT_THAT(read_error(head + "dims = [3, 0]\n" + text), StartsWith("my.toml:2:12: dims must"));
  EXPECT_THAT(read_error("routing = \"rial\"\n" + text), HasSubstr("did you mean \"rail\"?"));
}

}  // namespace
}  // namespace reducelab
