#include <gmock/gmock.h>

#include <map>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> small_compare(const std::vector<std::string>& more) {
  std::vector<std::string> words{"compare", "--topology",
                                 "single-switch:hosts=8,bandwidth=100Gbps,latency=2us"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::string kLog = MEASURED "/h100-4n32r-ib400-nccl2262.txt";

TEST(CompareJson, HasARunPerPointAndTheBestPerSize) {
  const ProcessResult result = reducelab(
      small_compare({"--algorithms", "ring,linear,one-shot", "--sizes", "4KiB,1MiB", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json comparison = result.json();
  EXPECT_EQ(comparison.at("schema"), "reducelab.compare/1");
  EXPECT_EQ(comparison.at("measured"), nullptr);
  EXPECT_TRUE(comparison.at("failed").empty());
  EXPECT_TRUE(comparison.at("skipped").empty());
  ASSERT_EQ(comparison.at("rows").size(), 6u);
  std::map<std::int64_t, double> least_s;
  for (const json& row : comparison.at("rows")) {
    EXPECT_EQ(row.at("schema"), "reducelab.run/1");
    EXPECT_EQ(row.at("verified"), true);
    const double time_s = row.at("time_s").get<double>();
    const auto [entry, first] = least_s.try_emplace(row.at("bytes").get<std::int64_t>(), time_s);
    if (!first) entry->second = std::min(entry->second, time_s);
  }
  ASSERT_EQ(comparison.at("best").size(), 2u);
  for (const json& best : comparison.at("best")) {
    EXPECT_EQ(best.at("time_s").get<double>(), least_s.at(best.at("bytes").get<std::int64_t>()));
    EXPECT_TRUE(best.at("algorithm").is_string());
  }
}

TEST(CompareJson, IsTheSameHoweverManyProcessesRunAtATime) {
  const std::vector<std::string> words =
      small_compare({"--algorithms", "ring,double-tree", "--sizes", "1KiB:64KiB:x4", "--json"});
  std::vector<json> comparisons;
  for (const char* jobs : {"1", "4"}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"-j", jobs});
    comparisons.push_back(reducelab(more).json());
    for (json& row : comparisons.back().at("rows")) {
      row.erase("wall_s");
      row.erase("reduce_wall_s");
    }
  }
  EXPECT_EQ(comparisons[0].dump(), comparisons[1].dump());
}

TEST(CompareJson, TheSamePointIsTheSameAsRun) {
  const json comparison =
      reducelab(small_compare({"--algorithms", "ring", "--sizes", "64KiB", "--json"})).json();
  std::vector<std::string> words = small_compare({"--size", "64KiB", "--json"});
  words.front() = "run";
  json run = reducelab(words).json();
  json row = comparison.at("rows").at(0);
  for (json* result : {&run, &row}) {
    result->erase("wall_s");
    result->erase("reduce_wall_s");
  }
  EXPECT_EQ(row.dump(), run.dump());
}

TEST(CompareTable, MarksOneWinnerPerSize) {
  const ProcessResult result =
      reducelab(small_compare({"--sizes", "1KiB,64KiB", "--metric", "time"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  int rows = 0;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (line.find("KiB ") == line.npos || line.front() == '#') continue;
    ++rows;
    EXPECT_EQ(std::ranges::count(line, '*'), 1) << line;
  }
  EXPECT_EQ(rows, 2);
  EXPECT_THAT(result.out, Not(HasSubstr("failed")));
}

TEST(CompareTable, AnAlgorithmThatCannotDoTheJobIsSkippedWithItsReason) {
  // All 8 places are taken, so a server that wants a place of its own has nowhere to live.
  const ProcessResult result =
      reducelab(small_compare({"--sizes", "1KiB", "--param", "placement=own"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("# skipped   parameter-server: "));
  const ProcessResult named = reducelab(small_compare(
      {"--sizes", "1KiB", "--algorithms", "ring,parameter-server", "--param", "placement=own"}));
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_EQ(std::ranges::count(named.err, '\n'), 1) << named.err;
}

TEST(CompareTable, WhatNoAlgorithmCanDoIsAnError) {
  const ProcessResult result = reducelab(small_compare({"--sizes", "1KiB", "--ranks", "9"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

TEST(CompareCsv, HasOneRowPerPoint) {
  const ProcessResult result = reducelab(
      small_compare({"--algorithms", "ring,linear", "--sizes", "1KiB,4KiB", "--csv", "-j", "3"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 5);
  EXPECT_THAT(result.out, ContainsRegex("\nring,[^\n]*,1024,[^\n]*\nlinear,[^\n]*,1024,"));
}

TEST(CompareMeasured, PrintsPredictedMeasuredAndErrors) {
  const ProcessResult result =
      reducelab({"compare", "--topology", "dgx-h100:nodes=4", "--profile", "nccl", "--algorithms",
                 "ring,double-tree", "--sizes", "3000,64KiB,1MiB", "--data", "none", "--measured",
                 kLog, "--algorithm-measured", "ring"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ring, predicted against measured"));
  EXPECT_THAT(result.out, HasSubstr("the fastest predicted at each size"));
  EXPECT_THAT(result.out, HasSubstr("median absolute error"));
  EXPECT_THAT(result.out, HasSubstr("only simulated, not compared: 3000B"));
  EXPECT_THAT(result.out, HasSubstr("only measured, not compared: "));
  EXPECT_THAT(result.out, Not(HasSubstr("different jobs")));
}

TEST(CompareMeasured, HoldsTheFastestOfSeveralNamesAgainstTheLog) {
  const json measured =
      reducelab({"compare", "--topology", "dgx-h100:nodes=4", "--profile", "nccl", "--algorithms",
                 "ring,double-tree,rabenseifner", "--sizes", "1KiB,256MiB", "--data", "none",
                 "--measured", kLog, "--algorithm-measured", "ring,double-tree", "--json"})
          .json()
          .at("measured");
  const json& sizes = measured.at("of_algorithm").at("sizes");
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes.at(0).at("algorithm"), "double-tree");
  EXPECT_EQ(sizes.at(1).at("algorithm"), "ring");
}

TEST(CompareMeasured, JsonHoldsTheFiguresOfTheLog) {
  const json measured =
      reducelab({"compare", "--topology", "dgx-h100:nodes=4", "--profile", "nccl", "--algorithms",
                 "ring", "--sizes", "1MiB", "--data", "none", "--measured", kLog, "--json"})
          .json()
          .at("measured");
  EXPECT_EQ(measured.at("ranks"), 32);
  EXPECT_EQ(measured.at("algorithm"), "ring");
  const json& size = measured.at("of_algorithm").at("sizes").at(0);
  EXPECT_EQ(size.at("bytes"), 1 << 20);
  const double predicted_s = size.at("predicted_s").get<double>();
  const double measured_s = size.at("measured_s").get<double>();
  EXPECT_NEAR(size.at("relative_error").get<double>(), predicted_s / measured_s - 1, 1e-12);
  EXPECT_NEAR(measured.at("of_best").at("summary").at("median_abs_error").get<double>(),
              std::abs(predicted_s / measured_s - 1), 1e-12);
}

TEST(CompareMeasured, WarnsWhenOtherRanksWereMeasured) {
  const ProcessResult result = reducelab(small_compare(
      {"--algorithms", "ring", "--sizes", "64KiB", "--data", "none", "--measured", kLog}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("warning: 32 ranks were measured, but 8 are simulated"));
}

}  // namespace
}  // namespace reducelab
