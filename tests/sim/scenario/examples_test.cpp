#include <gmock/gmock.h>

#include <filesystem>

#include "sim/scenario/scenario_toml.h"
#include "tests/sim/scenario/scenario_support.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::string path_of(const std::string& name) {
  return SCENARIOS "/" + name + ".toml";
}

TEST(ExampleScenarios, AllLoadAndMisbehaveOnFourByEight) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SCENARIOS)) {
    const Scenario scenario = load_scenario(entry.path().string());
    names.push_back(scenario.name);
    EXPECT_EQ(path_of(scenario.name), entry.path().string());
    EXPECT_FALSE(scenario.description.empty());
    for (const char* topology : {"leaf-spine:leaves=4,hosts=8", "dgx-h100:nodes=4"}) {
      const ResolvedScenario resolved = resolve_on(scenario, resolve_topology(topology));
      EXPECT_FALSE(resolved.empty()) << scenario.name << " on " << topology;
    }
    EXPECT_EQ(read_scenario_toml(write_scenario_toml(scenario), "copy"), scenario);
  }
  EXPECT_THAT(names, UnorderedElementsAre("slow-gpu", "flapping-link", "os-noise",
                                          "noisy-neighbour", "late-ranks", "dead-host"));
}

TEST(ExampleScenarios, DeadHostTakesItsEightGpus) {
  const ResolvedScenario resolved =
      resolve_on(load_scenario(path_of("dead-host")), resolve_topology("dgx-h100:nodes=4"));
  ASSERT_EQ(resolved.failures.size(), 1u);
  EXPECT_THAT(resolved.failures[0].participants, ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_EQ(resolved.failures[0].devices.size(), 17u);  // and 8 NICs, and the NVSwitch
}

TEST(ExampleScenarios, OsNoiseTakesTwoAndAHalfPerCent) {
  const ResolvedScenario resolved = resolve_on(load_scenario(path_of("os-noise")), four_by_eight());
  EXPECT_DOUBLE_EQ(resolved.timeline(5).of(Resource::overhead).noise_share(), 0.025);
  EXPECT_TRUE(resolved.timeline(5).of(Resource::reduction).plain());
}

}  // namespace
}  // namespace reducelab
