#include <gmock/gmock.h>

#include <algorithm>

#include <fstream>
#include <set>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<std::string> small_run(const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", "--topology",
                                 "single-switch:hosts=8,bandwidth=100Gbps,latency=2us"};
  if (std::ranges::find(more, "--size") == more.end()) {
    words.insert(words.end(), {"--size", "64KiB"});
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

json run_json(const std::vector<std::string>& more) {
  std::vector<std::string> words = small_run(more);
  words.push_back("--json");
  const ProcessResult result = reducelab(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.json();
}

TEST(RunJson, HasEveryKeyOfTheContractWithItsType) {
  const json result = run_json({});
  for (const char* key : {"schema", "algorithm", "collective", "dtype", "op", "topology", "engine",
                          "profile", "network_model", "data"}) {
    EXPECT_TRUE(result.at(key).is_string()) << key;
  }
  for (const char* key : {"ranks", "bytes", "seed", "messages", "bytes_sent", "steps"}) {
    EXPECT_TRUE(result.at(key).is_number_integer()) << key;
  }
  for (const char* key :
       {"time_s", "algbw_GBps", "busbw_GBps", "max_abs_error", "max_rel_error", "wall_s"}) {
    EXPECT_TRUE(result.at(key).is_number_float()) << key;
  }
  for (const char* key : {"verified", "ranks_identical"}) {
    EXPECT_TRUE(result.at(key).is_boolean()) << key;
  }
  EXPECT_EQ(result.at("schema"), "reducelab.run/1");
  EXPECT_EQ(result.at("explain"), nullptr);
}

TEST(RunJson, GivesTheRingOfTheTextbook) {
  const json result = run_json({"--algorithm", "ring", "--channels", "1"});
  // 2 (n - 1) steps of latency plus 1/n of the bytes on an idle port of 12.5e9 B/s.
  const double expected = 2 * 7 * (2e-6 + 65536.0 / 8 / 12.5e9);
  EXPECT_NEAR(result.at("time_s").get<double>(), expected, 1e-9 * expected);
  EXPECT_EQ(result.at("steps"), 14);
  EXPECT_EQ(result.at("messages"), 8 * 14);
  EXPECT_EQ(result.at("bytes_sent"), 14 * 65536);
  EXPECT_EQ(result.at("verified"), true);
  EXPECT_EQ(result.at("ranks_identical"), true);
  const double algbw = 65536 / result.at("time_s").get<double>() / 1e9;
  EXPECT_NEAR(result.at("algbw_GBps").get<double>(), algbw, 1e-9 * algbw);
  EXPECT_NEAR(result.at("busbw_GBps").get<double>(), algbw * 14 / 8, 1e-9 * algbw);
}

TEST(RunJson, IsTheSameTwiceApartFromWallTime) {
  const std::vector<std::string> words{"--algorithm", "double-tree", "--seed", "42", "--explain"};
  json first = run_json(words);
  json second = run_json(words);
  for (json* result : {&first, &second}) {
    result->erase("wall_s");
    result->erase("reduce_wall_s");
  }
  EXPECT_EQ(first.dump(), second.dump());
  EXPECT_EQ(first.at("seed"), 42);
}

TEST(RunJson, CarriesTheSpecThatAWorkerRunsAgain) {
  const json result = run_json({"--algorithm", "ring"});
  const ProcessResult again = reducelab({"worker"}, result.at("spec").dump());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr(result.at("time_s").dump()));
}

TEST(RunJson, WithoutDataIsNotVerified) {
  const json result = run_json({"--data", "none"});
  EXPECT_EQ(result.at("verified"), nullptr);
  EXPECT_EQ(result.at("data"), "none");
}

TEST(RunJson, SaysThatOneRankStoodForAll) {
  std::vector<std::string> words{"--engine", "flow", "--data", "none", "--size", "80000"};
  const json one = run_json(words);
  EXPECT_EQ(one.at("symmetry"), json::parse(R"({"ranks_simulated": 1, "of": 8})"));
  EXPECT_EQ(one.at("verified"), nullptr);
  words.insert(words.end(), {"--symmetry", "off"});
  const json all = run_json(words);
  EXPECT_EQ(all.at("symmetry"), nullptr);
  const double time_s = all.at("time_s").get<double>();
  EXPECT_NEAR(one.at("time_s").get<double>(), time_s, 1e-9 * time_s);
}

TEST(RunJson, TheAnalyticEngineGivesTheClosedForm) {
  const json analytic = run_json({"--engine", "analytic", "--data", "none"});
  const json simulated = run_json({});
  EXPECT_EQ(analytic.at("engine"), "analytic");
  EXPECT_EQ(analytic.at("verified"), nullptr);
  const double time_s = simulated.at("time_s").get<double>();
  EXPECT_NEAR(analytic.at("time_s").get<double>(), time_s, 1e-9 * time_s);
}

TEST(RunJson, SizesAreCutToWholeElementsAndNothingIsFine) {
  const json odd = run_json({"--size", "1003", "--dtype", "double"});
  EXPECT_EQ(odd.at("bytes"), 1003);
  EXPECT_EQ(odd.at("count"), 125);
  const json nothing = run_json({"--size", "0"});
  EXPECT_EQ(nothing.at("bytes"), 0);
  EXPECT_EQ(nothing.at("count"), 0);
  EXPECT_NE(nothing.at("verified"), false);
}

TEST(RunJson, ASlowRankCostsTime) {
  const std::vector<std::string> words{"--profile", "mpi-tcp"};
  std::vector<std::string> slow = words;
  slow.insert(slow.end(), {"--slow-rank", "3:10"});
  EXPECT_GT(run_json(slow).at("time_s").get<double>(), run_json(words).at("time_s").get<double>());
}

TEST(RunTable, HasTheColumnsOfNcclTestsAndSaysWhatWasRun) {
  const ProcessResult result = reducelab(small_run({"--profile", "nccl"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::ContainsRegex("size +count +type +redop +time +algbw +busbw"));
  EXPECT_THAT(result.out, HasSubstr("single-switch:hosts=8"));
  EXPECT_THAT(result.out, HasSubstr("simgrid"));
  EXPECT_THAT(result.out, HasSubstr("nccl, protocol LL"));
  EXPECT_THAT(result.out, HasSubstr("16384 elements on each of 8 ranks checked"));
}

TEST(RunTable, QuietLeavesOnlyTheTable) {
  const ProcessResult result = reducelab(small_run({"--quiet"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::Not(HasSubstr("topology")));
  EXPECT_THAT(result.out, HasSubstr("65536"));
}

TEST(RunCsv, HasOneHeaderAndOneRow) {
  const ProcessResult result = reducelab(small_run({"--csv"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 2);
  EXPECT_THAT(result.out, testing::StartsWith("algorithm,collective,ranks,bytes,"));
  EXPECT_THAT(result.out, HasSubstr("\nring,allreduce,8,65536,16384,float,sum,"));
}

TEST(RunExplain, SplitsTheTimeAndPutsTheClosedFormBeside) {
  const ProcessResult text = reducelab(small_run({"--explain", "--profile", "mpi-tcp"}));
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("closed form"));
  EXPECT_THAT(text.out, HasSubstr("along the critical path"));
  EXPECT_THAT(text.out, HasSubstr("busiest links"));

  const json result = run_json({"--explain", "--profile", "mpi-tcp"});
  double total_s = 0;
  for (const auto& part : result.at("explain").at("split")) total_s += part.get<double>();
  const double time_s = result.at("time_s").get<double>();
  EXPECT_NEAR(total_s, time_s, 1e-9 * time_s);
}

TEST(RunTrace, IsValidJsonWithEveryRank) {
  const ScratchDirectory scratch;
  const std::string file = (scratch.path() / "trace.json").string();
  const ProcessResult result = reducelab(small_run({"--trace", file}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(file));
  const json trace = json::parse(std::ifstream(file));
  std::set<std::string> names;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M") names.insert(event.at("args").value("name", ""));
  }
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& name) {
      return name.find("rank " + std::to_string(rank)) != name.npos;
    })) << rank;
  }
  EXPECT_EQ(scratch.entries(), 1u) << "a temporary file was left";
}

}  // namespace
}  // namespace reducelab
