#include "gui/model/comparison.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Comparison, asks_the_command_for_exactly_what_the_form_says) {
  ComparisonRequest request;
  request.topology = "single-switch:hosts=4";
  request.profile = "ideal";
  request.sizes = "1KiB";
  request.ranks = 3;
  request.algorithms = {"ring", "linear"};
  EXPECT_THAT(
      compare_arguments(request),
      ElementsAre("compare", "--topology", "single-switch:hosts=4", "--profile", "ideal", "--sizes",
                  "1KiB", "--dtype", "float", "--ranks", "3", "--algorithms", "ring,linear"));
}

TEST(Comparison, quotes_words_for_the_shell_where_it_must) {
  ComparisonRequest request;
  request.topology = "my cluster's.toml";
  EXPECT_THAT(command_line(request), HasSubstr("--topology 'my cluster'\\''s.toml' --profile"));
}

TEST(Comparison, names_the_fault_of_a_form) {
  ComparisonRequest request;
  EXPECT_EQ(fault_of_sizes(request.sizes), "");
  EXPECT_EQ(fault_of_topology(request), "");
  EXPECT_THAT(fault_of_sizes("1XB"), HasSubstr("\"1XB\""));
  request.ranks = 33;
  EXPECT_EQ(fault_of_topology(request), "the topology has 32 places, not 33");
  request.topology = "dgx-h10:nodes=4";
  EXPECT_THAT(fault_of_topology(request), HasSubstr("did you mean \"dgx-h100\""));
}

TEST(Comparison, reads_rows_and_marks_the_fastest) {
  const Comparison comparison = parse_comparison(R"({"schema":"reducelab.compare/1","rows":[
      {"bytes":2048,"algorithm":"ring","time_s":2e-6,"busbw_GBps":1.5},
      {"bytes":1024,"algorithm":"ring","time_s":1e-6,"busbw_GBps":1.0},
      {"bytes":1024,"algorithm":"linear","time_s":3e-6,"busbw_GBps":0.5}],
    "best":[{"bytes":1024,"algorithm":"ring"},{"bytes":2048,"algorithm":"ring"}],
    "skipped":[{"algorithm":"x","bytes":null,"reason":"too few places"}],"failed":[]})");
  EXPECT_THAT(comparison.sizes, ElementsAre(1024, 2048));
  EXPECT_THAT(comparison.algorithms, ElementsAre("ring", "linear"));
  EXPECT_TRUE(comparison.cells.at({1024, "ring"}).fastest);
  EXPECT_FALSE(comparison.cells.at({1024, "linear"}).fastest);
  EXPECT_THAT(comparison.remarks, ElementsAre("x skipped: too few places"));
  EXPECT_THAT(to_csv(comparison), HasSubstr("1024,linear,3e-06,0.5,no\n"));
}

/// The text of the Error that `act` must throw.
template <class Act>
std::string fault_in(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Comparison, an_error_object_becomes_that_error) {
  const char* text =
      R"({"schema":"reducelab.error/1","error":{"code":2,"message":"no such rank"}})";
  EXPECT_EQ(fault_in([&] { parse_comparison(text); }), "no such rank");
}

TEST(Comparison, text_that_is_no_comparison_becomes_an_error) {
  for (const char* text :
       {"", "Segmentation fault", "[]", R"({"schema":7})", R"({"schema":"reducelab.error/1"})",
        R"({"schema":"reducelab.compare/1"})",
        R"({"schema":"reducelab.compare/1","rows":[{"bytes":"x"}],"best":[]})"}) {
    EXPECT_THROW(parse_comparison(text), Error) << text;
  }
}

TEST(Comparison, a_crash_is_named_with_the_last_thing_said) {
  const ProcessEnd end{"", "starting\nout of luck\n\n", 11, true};
  EXPECT_EQ(fault_in([&] { comparison_of(end); }),
            "the reducelab command crashed (signal 11) (it printed: out of luck)");
  EXPECT_EQ(fault_in([&] {
              comparison_of({"", "", 70, false});
            }),
            "the reducelab command ended with exit code 70 and no result");
}

}  // namespace
}  // namespace reducelab
