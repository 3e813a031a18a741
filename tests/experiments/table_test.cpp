#include "experiments/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiments/importers/nccl_tests.h"
#include "experiments/report/nccl_tests_table.h"

namespace reducelab {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(TextTable, AlignsColumnsAndLeavesNoBlanksAtLineEnds) {
  TextTable table({{"algorithm", Align::left}, {"time (µs)", Align::right}, {"note", Align::left}});
  table.add_row({"ring", "12.5", ""});
  table.add_row({"tree", "1234567.25", "best"});
  EXPECT_EQ(table.to_text(),
            "algorithm   time (µs)  note\n"
            "ring             12.5\n"
            "tree       1234567.25  best\n");
}

TEST(TextTable, CsvQuotesCommasQuotesAndLineBreaksOnly) {
  TextTable table({{"name"}, {"text"}});
  table.add_row({"a,b", "say \"hi\""});
  table.add_row({"two\nlines", "plain text"});
  EXPECT_EQ(table.to_csv(), "name,text\n\"a,b\",\"say \"\"hi\"\"\"\n\"two\nlines\",plain text\n");
  EXPECT_EQ(csv_line(std::vector<std::string>{""}), "\"\"\n");
}

TEST(TextTable, RowOfAnotherWidthIsRefused) {
  TextTable table({{"a"}, {"b"}});
  EXPECT_THROW(table.add_row({"1"}), Error);
}

TEST(FitNumber, DropsDecimalsThenTurnsToAnExponent) {
  EXPECT_EQ(fit_number(0.0, 7), "   0.00");
  EXPECT_EQ(fit_number(9001.5, 7), "9001.50");
  EXPECT_EQ(fit_number(90016.4, 7), "90016.4");
  EXPECT_EQ(fit_number(228178.4, 7), " 228178");
  EXPECT_EQ(fit_number(12345678.0, 7), "1.2e+07");
  EXPECT_EQ(fit_number(365.84, 6), "365.84");
  EXPECT_EQ(fit_number(1234567.0, 6), " 1e+06");
  EXPECT_EQ(fit_number(999.996, 6), "1000.0");
}

std::vector<ResultRow> two_results() {
  return {{1048576, 262144, "float", "sum", 55.5e-6, 18.8933, 28.34, 0},
          {1073741824, 268435456, "float", "sum", 9001.5e-6, 119.2848, 178.9272, std::nullopt}};
}

TEST(NcclTestsTable, HasTheColumnsAndWidthsOfNcclTests) {
  const std::vector<std::string> header{"reducelab: ring over 4 ranks"};
  EXPECT_EQ(nccl_tests_table(two_results(), header),
            "# reducelab: ring over 4 ranks\n"
            "#\n"
            "#       size         count      type   redop     time   algbw   busbw  #wrong\n"
            "#        (B)    (elements)                       (us)  (GB/s)  (GB/s)\n"
            "     1048576        262144     float     sum    55.50   18.89   28.34       0\n"
            "  1073741824     268435456     float     sum  9001.50  119.28  178.93     N/A\n"
            "# Out of bounds values : 0 OK\n"
            "# Avg bus bandwidth    : 103.634\n");
}

TEST(NcclTestsTable, IsReadBackByTheImporterWithoutAWarning) {
  const auto runs = parse_nccl_tests_log(nccl_tests_table(two_results(), {}), "table");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].ranks, 4);
  EXPECT_EQ(runs[0].collective, "all_reduce");
  EXPECT_THAT(runs[0].warnings, IsEmpty());
  ASSERT_THAT(runs[0].rows, SizeIs(2));
  EXPECT_EQ(runs[0].rows[0].out_of_place->wrong, 0);
  EXPECT_EQ(runs[0].rows[1].out_of_place->wrong, std::nullopt);
  EXPECT_DOUBLE_EQ(runs[0].rows[1].out_of_place->time_s, 9001.5e-6);
}

TEST(NcclTestsTable, WrongElementsFailInTheFooter) {
  auto rows = two_results();
  rows[0].wrong = 7;
  EXPECT_THAT(nccl_tests_table(rows, {}), testing::HasSubstr("Out of bounds values : 7 FAILED"));
}

}  // namespace
}  // namespace reducelab
