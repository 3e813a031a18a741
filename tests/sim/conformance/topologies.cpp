#include "topologies.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace reducelab {
namespace {

constexpr std::string_view kUnequalHosts = R"(
[builder]
kind = "single-switch"
hosts = 6
bandwidth = "100Gbps"
latency = "1.3us"
[[override]]
links = ["h1->*"]
bandwidth = "40Gbps"
[[override]]
links = ["h4->*", "*->h4"]
bandwidth = "25Gbps"
latency = "3us"
)";

// Two switches with one narrow, half-duplex cable between them; one NIC is slow.
constexpr std::string_view kSlowNic = R"(
device = [
  { name = "g0", kind = "gpu", node = 0 }, { name = "g1", kind = "gpu", node = 0 },
  { name = "g2", kind = "gpu", node = 1 }, { name = "g3", kind = "gpu", node = 1 },
  { name = "g4", kind = "gpu", node = 2 }, { name = "g5", kind = "gpu", node = 2 },
  { name = "n0", kind = "nic", node = 0, latency = "70ns" },
  { name = "n1", kind = "nic", node = 1, latency = "70ns" },
  { name = "n2", kind = "nic", node = 2, latency = "90ns" },
  { name = "left", kind = "switch", latency = "110ns" },
  { name = "right", kind = "switch", latency = "130ns" },
]
link = [
  { between = ["g0", "g1"], bandwidth = "151GBps", latency = "310ns", kind = "nvlink" },
  { between = ["g2", "g3"], bandwidth = "149GBps", latency = "330ns", kind = "nvlink" },
  { between = ["g4", "g5"], bandwidth = "73GBps", latency = "350ns", kind = "nvlink" },
  { between = ["g0", "n0"], bandwidth = "23GBps", latency = "410ns", kind = "pcie" },
  { between = ["g1", "n0"], bandwidth = "23GBps", latency = "430ns", kind = "pcie" },
  { between = ["g2", "n1"], bandwidth = "23GBps", latency = "410ns", kind = "pcie" },
  { between = ["g3", "n1"], bandwidth = "23GBps", latency = "430ns", kind = "pcie" },
  { between = ["g4", "n2"], bandwidth = "11GBps", latency = "410ns", kind = "pcie" },
  { between = ["g5", "n2"], bandwidth = "11GBps", latency = "430ns", kind = "pcie" },
  { between = ["n0", "left"], bandwidth = "200Gbps", latency = "60ns", kind = "network" },
  { between = ["n1", "left"], bandwidth = "10Gbps", latency = "600ns", kind = "network" },
  { between = ["n2", "right"], bandwidth = "100Gbps", latency = "60ns", kind = "network" },
  { between = ["left", "right"], bandwidth = "170Gbps", latency = "250ns", kind = "network",
    duplex = "half" },
]
)";

constexpr std::string_view kGenerations = R"(
device = [
  { name = "old0", kind = "host" }, { name = "old1", kind = "host" },
  { name = "mid0", kind = "host" }, { name = "mid1", kind = "host" },
  { name = "new0", kind = "host" }, { name = "new1", kind = "host" },
  { name = "new2", kind = "host" },
  { name = "tor0", kind = "switch", latency = "300ns" },
  { name = "tor1", kind = "switch", latency = "200ns" },
  { name = "core0", kind = "switch", latency = "150ns" },
  { name = "core1", kind = "switch", latency = "150ns" },
]
link = [
  { between = ["old0", "tor0"], bandwidth = "10Gbps", latency = "2us", kind = "network" },
  { between = ["old1", "tor0"], bandwidth = "25Gbps", latency = "1.1us", kind = "network" },
  { between = ["mid0", "tor0"], bandwidth = "100Gbps", latency = "500ns", kind = "network" },
  { between = ["mid1", "tor1"], bandwidth = "100Gbps", latency = "500ns", kind = "network" },
  { between = ["new0", "tor1"], bandwidth = "400Gbps", latency = "210ns", kind = "network" },
  { between = ["new1", "tor1"], bandwidth = "400Gbps", latency = "220ns", kind = "network" },
  { between = ["new2", "tor1"], bandwidth = "800Gbps", latency = "190ns", kind = "network" },
  { between = ["tor0", "core0"], bandwidth = "40Gbps", latency = "400ns", kind = "network" },
  { between = ["tor0", "core1"], bandwidth = "40Gbps", latency = "400ns", kind = "network" },
  { between = ["tor1", "core0"], bandwidth = "100Gbps", latency = "300ns", kind = "network" },
  { between = ["tor1", "core1"], bandwidth = "100Gbps", latency = "300ns", kind = "network" },
]
)";

/// A file that is there as long as this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text)
      : path_(testing::TempDir() + "conformance-" + std::to_string(getpid()) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

const std::vector<ConformanceTopology>& conformance_topologies() {
  static const std::vector<ConformanceTopology> topologies{
      {"one switch", "single-switch:hosts=7,bandwidth=100Gbps,latency=1us"},
      {"one switch, unequal hosts", kUnequalHosts},
      {"one NVSwitch node", "nvswitch-node:gpus=8"},
      {"two DGX H100", "dgx-h100:nodes=2"},
      {"two DGX A100", "dgx-a100:nodes=2"},
      {"two nodes of four GH200", "gh200-quad:nodes=2"},
      {"3:1 oversubscribed leaf-spine",
       "leaf-spine:leaves=3,hosts=4,spines=2,bandwidth=100Gbps,oversubscription=3"},
      {"1D torus", "torus:dims=6"},
      {"2D torus", "torus:dims=4x3"},
      {"3D torus", "torus:dims=2x3x2"},
      {"mixed graph with a slow NIC", kSlowNic},
      {"hosts of three generations", kGenerations},
  };
  return topologies;
}

Job conformance_job(const ConformanceTopology& topology, const Algorithm& algorithm,
                    std::string_view profile, std::int64_t bytes, std::string_view placement,
                    const std::map<std::string, std::string>& params) {
  RunSpec spec;
  spec.algorithm = algorithm.name;
  spec.profile = profile;
  spec.bytes = bytes;
  spec.placement = placement;
  spec.params = params;
  if (topology.argument_or_toml.find('\n') == std::string_view::npos) {
    spec.topology = topology.argument_or_toml;
    return make_job(spec);
  }
  const TemporaryFile file(topology.argument_or_toml);
  spec.topology = file.path();
  return make_job(spec);
}

}  // namespace reducelab
