#include <gmock/gmock.h>

#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Verify, EveryAlgorithmIsProvedOnSmallJobs) {
  const ProcessResult result =
      reducelab({"verify", "all", "--ranks", "1:5", "--count", "0,7", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const json report = result.json();
  EXPECT_EQ(report.at("schema"), "reducelab.verify/1");
  EXPECT_EQ(report.at("ok"), true);
  const auto known = reducelab({"algorithms", "--json"}).json().at("algorithms").size();
  ASSERT_EQ(report.at("results").size(), known);
  for (const json& entry : report.at("results")) {
    EXPECT_EQ(entry.at("cases").get<int>() + entry.at("refused").get<int>(), 10)
        << entry.at("algorithm");
    EXPECT_GT(entry.at("cases"), 0);
    EXPECT_EQ(entry.at("errors"), 0);
  }
}

TEST(Verify, TellsInWordsWhatWasProved) {
  const ProcessResult result =
      reducelab({"verify", "ring", "--ranks", "2,6:7", "--count", "100", "--param", "channels=2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("ring +3 cases  ok"));
}

}  // namespace
}  // namespace reducelab
