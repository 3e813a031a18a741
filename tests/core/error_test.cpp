#include "core/error.h"

#include <gmock/gmock.h>

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ErrorText, NamesPlaceMessageAndAdviceOnOneLine) {
  Error error(ErrorCode::usage, "unknown key \"latncy\"; did you mean \"latency\"?",
              {"my.toml", 12, 9});
  error.note("one of: bandwidth, latency").note("see reducelab topology --help");
  EXPECT_STREQ(
      error.what(),
      "my.toml:12:9: unknown key \"latncy\"; did you mean \"latency\"? (one of: bandwidth, "
      "latency; see reducelab topology --help)");
}

TEST(ErrorText, LeavesOutWhatIsNotKnownOfThePlace) {
  EXPECT_STREQ(Error(ErrorCode::usage, "m").what(), "m");
  EXPECT_STREQ(Error(ErrorCode::usage, "m", {"f"}).what(), "f: m");
  EXPECT_STREQ(Error(ErrorCode::usage, "m", {"f", 3}).what(), "f:3: m");
  EXPECT_STREQ(Error(ErrorCode::usage, "m", {"f", 0, 7}).what(), "f: m");
}

TEST(ErrorText, StaysOneLineWhateverTheInputHeld) {
  EXPECT_STREQ(usage_error("unknown algorithm \"{}\"", "a\r\nb").what(),
               "unknown algorithm \"a\\r\\nb\"");
}

TEST(ErrorText, SurvivesACopy) {
  const Error copy = Error(ErrorCode::failed, "deadlock").note("rank 3");
  EXPECT_STREQ(copy.what(), "deadlock (rank 3)");
}

TEST(ErrorCodes, AreTheExitCodesOfTheProcess) {
  EXPECT_EQ(usage_error("x").exit_code(), 2);
  EXPECT_EQ(Error(ErrorCode::unsupported, "x").exit_code(), 3);
  EXPECT_EQ(run_error("x").exit_code(), 4);
  EXPECT_EQ(Error(ErrorCode::bug, "x").exit_code(), 70);
}

TEST(ErrorJson, RoundTripKeepsEveryField) {
  Error sent(ErrorCode::failed, "rank 3 waits \"for\" ever\n\xc3\xa4", {"a \"b\".toml", 4, 2});
  sent.note("first").note("second, with ; in it");
  const Error got = Error::from_json(sent.to_json());
  EXPECT_EQ(got.code(), sent.code());
  EXPECT_EQ(got.message(), sent.message());
  EXPECT_EQ(got.where().file, sent.where().file);
  EXPECT_EQ(got.where().line, 4);
  EXPECT_EQ(got.where().column, 2);
  EXPECT_THAT(got.notes(), ElementsAre("first", "second, with ; in it"));
  EXPECT_STREQ(got.what(), sent.what());
}

TEST(ErrorJson, IsOneLineEvenForBytesThatAreNotUtf8) {
  const std::string json = usage_error("bad byte \xff\n").to_json();
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_THAT(Error::from_json(json).message(), HasSubstr("bad byte \xef\xbf\xbd"));
}

TEST(ErrorJson, AnythingElseIsReportedAsABugAndShown) {
  for (const char* text :
       {"", "not json", "[]", "7", "null", "{}", R"({"code":2})", R"({"code":"2","message":"m"})",
        R"({"code":2,"message":5})", R"({"code":17,"message":"m"})",
        R"({"code":2,"message":"m","notes":7})", R"({"code":2,"message":"m","line":"x"})"}) {
    const Error error = Error::from_json(text);
    EXPECT_EQ(error.code(), ErrorCode::bug) << text;
    EXPECT_EQ(error.message(), std::string("not an error object: ") + text);
  }
}

}  // namespace
}  // namespace reducelab
