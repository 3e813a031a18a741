#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "experiments/importers/nccl_tests.h"

namespace reducelab {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string fixture(const std::string& name) {
  return read_text_file(std::filesystem::path(FIXTURES) / name);
}

std::string error_of(std::string_view text) {
  try {
    parse_nccl_tests_log(text, "log.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(NcclBadInput, TextWithoutATableSaysWhatWasLookedFor) {
  for (const std::string& text :
       {std::string(), std::string("hello\nworld\n"),
        std::string("# OSU MPI Allreduce Latency Test\n4  4.01\n"), std::string(5000, '\0')}) {
    EXPECT_THAT(error_of(text), AllOf(StartsWith("log.txt: no nccl-tests table found"),
                                      HasSubstr("# size count type redop")));
  }
}

TEST(NcclBadInput, FailedTestWithoutATableNamesItsFailure) {
  const std::string text = error_of(fixture("failed_no_table.txt"));
  EXPECT_THAT(text,
              HasSubstr("line 6: node001: Test NCCL failure common.cu:1012 'unhandled system"));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(NcclBadInput, HeaderWithoutRowsIsItsOwnError) {
  const std::string text = fixture("modern.txt");
  EXPECT_THAT(error_of(text.substr(0, text.find("        1024"))),
              HasSubstr("has a column header but no rows"));
}

TEST(NcclBadInput, FailedTestBesideAGoodOneIsAWarning) {
  const auto runs =
      parse_nccl_tests_log(fixture("failed_no_table.txt") + fixture("modern.txt"), "x");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_FALSE(runs[0].aborted);
  ASSERT_THAT(runs[0].warnings, SizeIs(1));
  EXPECT_THAT(runs[0].warnings[0], StartsWith("line 6: a test failed before its first row"));
}

TEST(NcclBadInput, Utf16IsNamedAndUtf8MarkIsSkipped) {
  EXPECT_THAT(error_of(std::string_view("\xFF\xFE#\0 \0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(parse_nccl_tests_log("\xEF\xBB\xBF" + fixture("modern.txt"), "x"), SizeIs(1));
}

TEST(NcclBadInput, BinaryInsideTheTableIsCountedAsNoise) {
  std::string text = fixture("modern.txt");
  text.insert(text.find("       65536"), std::string("\0\x01\xFF<stdout>:\x80\n", 14));
  const auto runs = parse_nccl_tests_log(text, "x");
  EXPECT_THAT(runs.at(0).rows, SizeIs(4));
  EXPECT_EQ(runs.at(0).skipped_noise_lines, 1);
}

TEST(NcclBadInput, AbortReasonIsPrintableWhateverTheLogHolds) {
  std::string text = fixture("modern.txt");
  text.insert(text.find("       65536"),
              "n\x80\x01: Test NCCL failure " + std::string(5000, 'x') + "\n");
  const auto runs = parse_nccl_tests_log(text, "x");
  EXPECT_TRUE(runs.at(0).aborted);
  EXPECT_THAT(runs.at(0).abort_reason, StartsWith("n??: Test NCCL failure xxx"));
  EXPECT_LT(runs.at(0).abort_reason.size(), 200U);
}

void expect_sane(const MeasuredRun& run) {
  EXPECT_FALSE(run.rows.empty());
  EXPECT_GE(run.ranks, 0);
  for (const MeasuredRow& row : run.rows) {
    EXPECT_GE(row.bytes, 0);
    EXPECT_GT(row.line, 0);
    EXPECT_TRUE(row.out_of_place || row.in_place);
    for (const auto& half : {row.out_of_place, row.in_place}) {
      if (!half) continue;
      EXPECT_TRUE(std::isfinite(half->time_s) && half->time_s >= 0);
      EXPECT_TRUE(row.bytes == 0 || half->time_s > 0);
      EXPECT_TRUE(std::isfinite(half->busbw_GBps) && half->busbw_GBps >= 0);
    }
  }
}

/// Changes, removes, repeats and swaps bytes and pieces at random places.
std::string mutate(std::string text, const RandomStream& random) {
  std::uint64_t draw = 0;
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>(random.bits(draw++) % std::max<std::size_t>(1, limit));
  };
  constexpr std::array<std::string_view, 10> kPieces{"\n",
                                                     "# size count type time algbw busbw\n",
                                                     "[1,0]<stdout>:",
                                                     "nan",
                                                     "-1",
                                                     "1e999",
                                                     "]<std",
                                                     "# Using devices\n",
                                                     "999999999999999999999",
                                                     "#  Rank 4000000000 Pid"};
  for (std::size_t edits = 1 + below(12); edits > 0; --edits) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, below(80));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(200)));
        break;
      case 3:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      default:
        text.resize(text.size() - below(text.size() / 8));
        break;
    }
  }
  return text;
}

TEST(NcclBadInput, MutatedLogsGiveRunsOrAUsageErrorAndNothingElse) {
  std::size_t parsed = 0;
  std::uint64_t seed = 0;
  for (const std::string name :
       {"modern.txt", "tagged_fragments.txt", "old_11_columns.txt", "noisy_aborted.txt",
        "two_tests_wide.txt", "milliseconds_2017.txt"}) {
    const std::string text = fixture(name);
    for (std::uint64_t variant = 0; variant < 500; ++variant) {
      const std::string mutant = mutate(text, RandomStream(++seed, RandomPurpose::test, 0));
      try {
        for (const MeasuredRun& run : parse_nccl_tests_log(mutant, name)) expect_sane(run);
        ++parsed;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      }
    }
  }
  EXPECT_GT(parsed, 1500U);  // otherwise the mutants are too wild to reach the parser
}

}  // namespace
}  // namespace reducelab
