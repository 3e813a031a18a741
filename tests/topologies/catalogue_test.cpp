#include "topologies/catalogue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "tests/topologies/error_of.h"
#include "topologies/check.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string resolve_error(const std::string& argument) {
  return error_of([&] { resolve_topology(argument); });
}

TEST(Catalogue, HasThePresetsAndTheBuildersWithASentenceAndDefaultsEach) {
  std::vector<std::string> names;
  for (const TopologyEntry& entry : topology_catalogue()) {
    names.push_back(entry.name);
    EXPECT_TRUE(entry.description.ends_with('.')) << entry.name;
    EXPECT_FALSE(entry.parameters.empty()) << entry.name;
    for (const auto& parameter : entry.parameters) {
      EXPECT_FALSE(parameter.default_value.empty()) << entry.name << " " << parameter.name;
    }
  }
  EXPECT_THAT(names, testing::ElementsAre("aws-p5", "dgx-a100", "dgx-h100", "ethernet-100g",
                                          "gcp-a3-mega", "gh200-quad", "hgx-a100-8", "hgx-b200-8",
                                          "hgx-h100-8", "single-switch", "nvswitch-node",
                                          "rail-optimized", "leaf-spine", "torus"));
}

TEST(Catalogue, TheDefaultsShownAreThoseUsed) {
  for (const TopologyEntry& entry : topology_catalogue()) {
    std::string call = entry.name;
    for (const auto& parameter : entry.parameters) {
      call += (call == entry.name ? ":" : ",") + parameter.name + "=" + parameter.default_value;
    }
    Topology spelled = resolve_topology(call);
    spelled.set_name(entry.name);
    EXPECT_TRUE(spelled == resolve_topology(entry.name)) << call;
  }
}

TEST(Catalogue, NothingIsWrongWithAnyPreset) {
  for (const TopologyEntry& entry : topology_catalogue()) {
    for (const TopologyFinding& finding : check_topology(resolve_topology(entry.name))) {
      ADD_FAILURE() << entry.name << ": " << finding.message;
    }
  }
}

TEST(Catalogue, PresetsHaveTheirPublishedBandwidths) {
  const auto widest = [](std::string_view name, LinkKind kind) {
    double bytes_per_s = 0;
    const Topology topology = resolve_topology(name);
    for (const DeviceId gpu : topology.endpoints()) {
      double sum = 0;
      for (const Edge edge : topology.out_edges(gpu)) {
        if (topology.link(edge.link).kind == kind) {
          sum += topology.link(edge.link).bandwidth_bytes_per_s;
        }
      }
      bytes_per_s = std::max(bytes_per_s, sum);
    }
    return bytes_per_s;
  };
  // 900, 600 and 900 GB/s both ways together.
  EXPECT_DOUBLE_EQ(widest("dgx-h100", LinkKind::nvlink), 450e9);
  EXPECT_DOUBLE_EQ(widest("hgx-h100-8", LinkKind::nvlink), 450e9);
  EXPECT_DOUBLE_EQ(widest("dgx-a100", LinkKind::nvlink), 300e9);
  EXPECT_DOUBLE_EQ(widest("gh200-quad", LinkKind::nvlink), 450e9);
  EXPECT_DOUBLE_EQ(widest("ethernet-100g", LinkKind::network), 12.5e9);
}

TEST(Catalogue, NamesATopologyAfterItsArgument) {
  EXPECT_EQ(resolve_topology("dgx-h100:nodes=2").name(), "dgx-h100:nodes=2");
  EXPECT_EQ(resolve_topology("dgx-h100:nodes=2").endpoints().size(), 16u);
  EXPECT_EQ(resolve_topology("torus:dims=2x3").name(), "torus:dims=2x3");
}

TEST(Catalogue, ReadsAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "reducelab_catalogue_test.toml";
  write_file_atomically(path, "[builder]\nkind = \"torus\"\ndims = \"3x3\"\n");
  EXPECT_EQ(resolve_topology(path.string()).endpoints().size(), 9u);
  std::filesystem::remove(path);
  EXPECT_THAT(resolve_error(path.string()), HasSubstr("reducelab_catalogue_test.toml"));
  EXPECT_THAT(resolve_error("topo.xml"), HasSubstr("is not a .toml file"));
}

TEST(CatalogueErrors, UnknownNamesGetASuggestion) {
  EXPECT_THAT(resolve_error("dgx-h10:nodes=4"), StartsWith("unknown topology \"dgx-h10\"; did you "
                                                           "mean \"dgx-h100\"?"));
  EXPECT_THAT(resolve_error("single-swich:hosts=4"), HasSubstr("did you mean \"single-switch\"?"));
  EXPECT_THAT(resolve_error("dgx-h100:node=4"),
              StartsWith("topology \"dgx-h100:node=4\": unknown parameter of rail-optimized "
                         "\"node\"; did you mean \"nodes\"?"));
  EXPECT_THAT(resolve_error(""), HasSubstr("unknown topology \"\""));
}

TEST(CatalogueErrors, BadArgumentsAreNamed) {
  EXPECT_THAT(resolve_error("torus:dims"), HasSubstr("\"dims\" is not written like name=value"));
  EXPECT_THAT(resolve_error("torus:dims="), HasSubstr("not written like name=value"));
  EXPECT_THAT(resolve_error("single-switch:hosts=4,hosts=5"), HasSubstr("hosts is given twice"));
  EXPECT_THAT(resolve_error("single-switch:hosts=four"),
              HasSubstr("hosts of single-switch: \"four\" is not a whole number"));
  EXPECT_THAT(resolve_error("single-switch:bandwidth=-1Gbps"),
              HasSubstr("bandwidth of single-switch: bandwidth must not be negative"));
  EXPECT_THAT(resolve_error("single-switch:latency=20s"), HasSubstr("is beyond 10s"));
  EXPECT_THAT(resolve_error("rail-optimized:fabric=nvswich"),
              HasSubstr("did you mean \"nvswitch\"?"));
  EXPECT_THAT(resolve_error("rail-optimized:pxn=yes"), HasSubstr("neither true nor false"));
}

TEST(CatalogueErrors, AbsurdSizesAreRefusedBeforeAnythingIsBuilt) {
  EXPECT_THAT(resolve_error("single-switch:hosts=10000000000"),
              HasSubstr("hosts of single-switch: 10000000000 is not between 1 and 1048576"));
  EXPECT_THAT(resolve_error("single-switch:hosts=99999999999999999999999"),
              HasSubstr("is not between 1 and 1048576"));
  EXPECT_THAT(resolve_error("single-switch:hosts=0"), HasSubstr("0 is not between 1"));
  EXPECT_THAT(resolve_error("leaf-spine:spines=0"), HasSubstr("spines of leaf-spine: 0 is not"));
  EXPECT_THAT(resolve_error("leaf-spine:oversubscription=0"), HasSubstr("0 is not above 0"));
  EXPECT_THAT(resolve_error("leaf-spine:oversubscription=nan"), HasSubstr("nan is not above 0"));
  EXPECT_THAT(resolve_error("leaf-spine:leaves=1000000,hosts=1000000"),
              HasSubstr("would have 1000000000000 hosts"));
  EXPECT_THAT(resolve_error("leaf-spine:leaves=1000000,hosts=1,spines=1000000"),
              HasSubstr("uplinks, more than"));
  EXPECT_THAT(resolve_error("leaf-spine:hosts=100000,spines=1,bandwidth=100Gbps"),
              HasSubstr("would have uplinks of 10000Tbps"));
  EXPECT_THAT(resolve_error("rail-optimized:nodes=1000000,gpus=8"), HasSubstr("8000000 GPUs"));
  EXPECT_THAT(resolve_error("rail-optimized:nodes=500,gpus=1024,fabric=mesh"),
              HasSubstr("cables, more than"));
  EXPECT_THAT(resolve_error("torus:dims=0x3"), HasSubstr("extent 0 is not between 1"));
  EXPECT_THAT(resolve_error("torus:dims=1000000x1000000x1000000"), HasSubstr("positions"));
  EXPECT_THAT(resolve_error("torus:dims=2x2x2x2"), HasSubstr("has 4 extents, not 1 to 3"));
  EXPECT_THAT(resolve_error("torus:dims=4xx4"), HasSubstr("is not written like 8x8x4"));
  EXPECT_THAT(resolve_error("torus:dims=1"), HasSubstr("has only one position"));
}

}  // namespace
}  // namespace reducelab
