// Who is waited for and what it costs, in cases that can be worked out by hand.
#include <gmock/gmock.h>

#include <algorithm>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr double kBytesPerS = 12.5e9;
constexpr double kLatency_s = 2e-6;

std::vector<std::string> ring(int hosts, const std::string& size,
                              const std::vector<std::string>& more) {
  std::vector<std::string> words{
      "run",
      "--topology",
      "single-switch:hosts=" + std::to_string(hosts) + ",bandwidth=100Gbps,latency=2us",
      "--algorithm",
      "ring",
      "--size",
      size};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

json run_json(int hosts, const std::string& size, std::vector<std::string> more) {
  more.push_back("--json");
  const ProcessResult result = reducelab(ring(hosts, size, more));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.json();
}

TEST(Straggler, ASlowRankIsWaitedForAsLongAsItsOwnWorkTakesLonger) {
  // 6 hops of 16 KiB blocks around 4 ranks. Each has an overhead of 250 ns at either end, a
  // handshake of two latencies, a latency of 2 us + 400 ns, 97 % of the wire; the first 3 a
  // reduction of 100 ns + 16 KiB at 10 GB/s.
  const double reduction_s = 100e-9 + 16384 / 10e9;
  const double healthy_s =
      6 * (0.5e-6 + 3 * 2.4e-6 + 16384 / (0.97 * kBytesPerS)) + 3 * reduction_s;
  // The worst path meets the slow rank at its second and sixth stop: it receives and sends twice
  // and reduces once, each in three times the time.
  const double slow_s = 2 * (4 * 250e-9 + reduction_s);
  const json result =
      run_json(4, "64KiB", {"--profile", "mpi-rdma", "--slow-rank", "2:3", "--explain"});
  EXPECT_NEAR(result.at("healthy_s").get<double>(), healthy_s, 1e-9 * healthy_s);
  EXPECT_NEAR(result.at("time_s").get<double>(), healthy_s + slow_s, 1e-9 * healthy_s);
  EXPECT_NEAR(result.at("slowdown").get<double>(), 1 + slow_s / healthy_s, 1e-9);
  const json& stragglers = result.at("explain").at("stragglers");
  ASSERT_EQ(stragglers.size(), 1u);
  EXPECT_EQ(stragglers.at(0).at("who"), "rank 2");
  EXPECT_NEAR(stragglers.at(0).at("slow_s").get<double>(), slow_s, 1e-9 * slow_s);
  EXPECT_EQ(stragglers.at(0).at("late_s"), 0);
}

TEST(Straggler, ALateRankIsWaitedForAsLongAsItIsLate) {
  const ScratchDirectory scratch;
  const std::string late =
      scratch.file("late.toml", "[[arrival]]\nranks = 1\nkind = \"fixed\"\nvalue = \"100us\"\n");
  const json result = run_json(4, "64KiB", {"--scenario", late, "--explain"});
  const double healthy_s = 6 * (kLatency_s + 16384 / kBytesPerS);
  EXPECT_NEAR(result.at("time_s").get<double>(), 100e-6 + healthy_s, 1e-9 * healthy_s);
  const json& stragglers = result.at("explain").at("stragglers");
  ASSERT_EQ(stragglers.size(), 1u);
  EXPECT_EQ(stragglers.at(0).at("who"), "rank 1");
  EXPECT_NEAR(stragglers.at(0).at("late_s").get<double>(), 100e-6, 1e-14);
}

TEST(Straggler, ARingRunsAtTheRateOfItsOneSlowLink) {
  // Blocks leave rank 3 back to back: by the time one is out, the next has come around.
  for (const double factor : {0.5, 0.25, 0.1}) {
    for (const char* engine : {"flow", "simgrid"}) {
      const json result = run_json(
          8, "1MiB", {"--engine", engine, "--slow-link", "h3->switch:" + std::to_string(factor)});
      const double expected_s = 14 * 131072 / (factor * kBytesPerS) + kLatency_s;
      EXPECT_NEAR(result.at("time_s").get<double>(), expected_s, 1e-9 * expected_s);
    }
  }
}

TEST(Straggler, ASlowLinkIsNoRanksFault) {
  const json explain =
      run_json(4, "64KiB", {"--slow-link", "rank 2:0.25", "--explain"}).at("explain");
  EXPECT_TRUE(explain.at("stragglers").empty());
  // The worst path takes four of the two slow hops; each is 4 times as long on the wire.
  const double slow_s = 4 * 3 * 16384 / kBytesPerS;
  EXPECT_NEAR(explain.at("split").at("slow_link_s").get<double>(), slow_s, 1e-9 * slow_s);
}

TEST(Straggler, RunTellsTheSlowdownUnlessQuiet) {
  const std::vector<std::string> slow{"--slow-link", "h3->switch:0.25"};
  EXPECT_THAT(reducelab(ring(8, "1MiB", slow)).out, HasSubstr("# slowdown  3.371 times"));
  EXPECT_THAT(reducelab(ring(8, "1MiB", {})).out, Not(HasSubstr("slowdown")));
  EXPECT_EQ(run_json(8, "1MiB", {"--slow-link", "h3->switch:0.25", "--quiet"}).at("slowdown"),
            nullptr);
}

TEST(Straggler, CompareNamesWhoSuffersLeast) {
  std::vector<std::string> words{"compare",
                                 "--topology",
                                 "single-switch:hosts=8",
                                 "--sizes",
                                 "1KiB,1MiB",
                                 "--profile",
                                 "mpi-rdma",
                                 "--slow-rank",
                                 "3:4",
                                 "--data",
                                 "none",
                                 "--algorithms",
                                 "ring,recursive-doubling"};
  const std::string text = reducelab(words).out;
  EXPECT_THAT(text, HasSubstr("slowdown against a healthy cluster"));
  EXPECT_THAT(text, HasSubstr("suffers least"));
  const ProcessResult csv = shell(
      "\"$REDUCELAB\" compare --sizes 1KiB --algorithms ring --data none "
      "--slow-rank 3:4 --csv");
  EXPECT_THAT(csv.out, HasSubstr(",healthy_s,slowdown\n"));
  words.push_back("--json");
  const json comparison = reducelab(words).json();
  const json& least = comparison.at("suffers_least");
  ASSERT_EQ(least.size(), 2u);
  for (const json& one : least) {
    double smallest = 1e9;
    for (const json& row : comparison.at("rows")) {
      if (row.at("bytes") != one.at("bytes")) continue;
      const double factor = row.at("slowdown").get<double>();
      EXPECT_EQ(factor, row.at("time_s").get<double>() / row.at("healthy_s").get<double>());
      smallest = std::min(smallest, factor);
    }
    EXPECT_EQ(one.at("slowdown").get<double>(), smallest);
  }
}

}  // namespace
}  // namespace reducelab
