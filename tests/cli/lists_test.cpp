#include <gmock/gmock.h>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Algorithms, AreListedInWordsAndAsJson) {
  const json list = reducelab({"algorithms", "--json"}).json();
  EXPECT_EQ(list.at("schema"), "reducelab.algorithms/1");
  const ProcessResult text = reducelab({"algorithms"});
  EXPECT_EQ(text.exit_code, 0);
  ASSERT_GE(list.at("algorithms").size(), 10u);
  for (const json& algorithm : list.at("algorithms")) {
    for (const char* key : {"name", "sentence", "source", "also_known_as", "constraint"}) {
      EXPECT_TRUE(algorithm.at(key).is_string()) << key;
    }
    EXPECT_TRUE(algorithm.at("closed_form").is_boolean());
    EXPECT_THAT(text.out, HasSubstr("\n" + algorithm.at("name").get<std::string>() + " "));
    for (const json& param : algorithm.at("params")) {
      EXPECT_TRUE(param.at("default").is_string());
      EXPECT_FALSE(param.at("sentence").get<std::string>().empty());
    }
  }
}

TEST(Algorithms, OneIsToldInDetail) {
  const ProcessResult text = reducelab({"algorithms", "ring"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, StartsWith("ring: "));
  EXPECT_THAT(text.out, HasSubstr("slice_bytes"));
  EXPECT_THAT(text.out, HasSubstr("NCCL"));
  const json one = reducelab({"algorithms", "ring", "--json"}).json();
  ASSERT_EQ(one.at("algorithms").size(), 1u);
  EXPECT_EQ(one.at("algorithms").at(0).at("name"), "ring");
}

TEST(TopologyList, HasPresetsAndBuilders) {
  const json list = reducelab({"topology", "list", "--json"}).json();
  const std::string text = reducelab({"topology", "list"}).out;
  bool preset = false;
  bool builder = false;
  for (const json& entry : list.at("topologies")) {
    preset = preset || entry.at("kind") == "preset";
    builder = builder || entry.at("kind") == "builder";
    EXPECT_THAT(text, HasSubstr(entry.at("name").get<std::string>()));
  }
  EXPECT_TRUE(preset);
  EXPECT_TRUE(builder);
}

TEST(TopologyShow, DescribesAndDumps) {
  const std::string argument = "single-switch:hosts=4,bandwidth=100Gbps,latency=1us";
  const ProcessResult text = reducelab({"topology", "show", argument});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("4 places for ranks"));
  const json dump = reducelab({"topology", "show", argument, "--json"}).json();
  EXPECT_EQ(dump.at("places"), 4);
  EXPECT_EQ(dump.at("devices").size(), 5u);
  EXPECT_EQ(dump.at("links").size(), 8u);
  EXPECT_EQ(dump.at("links").at(0).at("bandwidth_bytes_per_s"), 12.5e9);
}

TEST(TopologyShow, WritesTomlThatRunsTheSame) {
  const std::string argument = "single-switch:hosts=4,bandwidth=100Gbps,latency=1us";
  const ScratchDirectory scratch;
  const std::string file =
      scratch.file("saved.toml", reducelab({"topology", "show", argument, "--toml"}).out);
  const auto time_on = [](const std::string& topology) {
    return reducelab({"run", "--topology", topology, "--size", "4KiB", "--json"})
        .json()
        .at("time_s")
        .get<double>();
  };
  EXPECT_EQ(time_on(file), time_on(argument));
}

TEST(TopologyCheck, PassesEveryPreset) {
  for (const json& entry : reducelab({"topology", "list", "--json"}).json().at("topologies")) {
    if (entry.at("kind") != "preset") continue;
    const ProcessResult check = reducelab({"topology", "check", entry.at("name")});
    EXPECT_EQ(check.exit_code, 0) << entry.at("name") << check.out << check.err;
  }
}

TEST(Help, IsThereForEveryCommand) {
  const ProcessResult all = reducelab({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"algorithms", "topology", "verify", "run", "compare", "worker"}) {
    EXPECT_THAT(all.out, HasSubstr(std::string("\n  ") + command + " "));
    const ProcessResult help = reducelab({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_EQ(help.err, "");
    EXPECT_GT(help.out.size(), 100u) << command;
  }
  EXPECT_THAT(reducelab({"run", "--help"}).out, HasSubstr("--slow-rank"));
}

TEST(Version, IsPrinted) {
  const ProcessResult result = reducelab({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::ContainsRegex("^reducelab [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

}  // namespace
}  // namespace reducelab
