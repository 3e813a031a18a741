#include <gmock/gmock.h>

#include "process.h"

namespace reducelab {
namespace {

using testing::HasSubstr;

const std::string kRun = "\"$REDUCELAB\" run --topology single-switch:hosts=2 --size 1KiB";
const std::string kCompare =
    "\"$REDUCELAB\" compare --topology single-switch:hosts=2 --algorithms ring --sizes "
    "1KiB:1MiB:x2";

TEST(Output, ToAReaderThatHasGoneEndsQuietly) {
  for (const std::string& command : {kRun, kCompare, std::string("\"$REDUCELAB\" algorithms")}) {
    // The reader is gone before the first byte is written.
    const ProcessResult result =
        shell("{ sleep 0.2; " + command + "; echo \"exit $?\" >&2; } | true");
    EXPECT_EQ(result.err, "exit 0\n") << command;
  }
}

TEST(Output, ThatCannotBeWrittenIsOneLine) {
  for (const std::string to : {">&-", ">/dev/full"}) {
    const ProcessResult result = shell(kRun + " " + to);
    EXPECT_EQ(result.exit_code, 2) << to;
    EXPECT_THAT(result.err, HasSubstr("cannot write to standard output"));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

TEST(Output, ClosedErrorsDoNotEndUpElsewhere) {
  const ProcessResult result = shell("\"$REDUCELAB\" run --algorithm rign 2>&-");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
}

TEST(Output, HasNoColourAndNoProgressOffTerminals) {
  const ProcessResult result = shell(kCompare);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace reducelab
