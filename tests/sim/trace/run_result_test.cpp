#include "sim/trace/run_result.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace reducelab {
namespace {

RunResult full_result() {
  RunResult result;
  result.spec.algorithm = "ring";
  result.spec.topology = "single-switch:hosts=4";
  result.spec.params = {{"channels", "2"}};
  result.spec.bytes = 1003;
  result.spec.seed = 7;
  result.ranks = 4;
  result.channels = 2;
  result.slice_bytes = 4096;
  result.time_s = 1.0 / 3;
  result.ranks_simulated = 1;
  result.messages = 24;
  result.bytes_sent = 6000;
  result.steps = 6;
  result.network_model = "equal sharing";
  result.closed_form_s = 0.1;
  result.closed_form_exact = true;
  result.verified = true;
  result.data = "full";
  result.reducer = "cpu (AVX2)";
  result.checked_elements = 250;
  result.wrong = 0;
  result.max_abs_error = 1e-7;
  result.max_rel_error = 2e-8;
  result.max_ulps = 1.5;
  result.ranks_identical = true;
  result.reduce_wall_s = 0.01;
  result.wall_s = 0.02;
  Explanation explanation;
  explanation.split = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08};
  explanation.busiest_links = {{"a->b", 1500, 0.75}};
  explanation.path = {{"rank 0 -> rank 1, 500B", "a->b", 0, 0.1},
                      {"reduce at rank 1", "rank 1", 0.1, 0.2}};
  result.explanation = explanation;
  return result;
}

TEST(RunResultJson, ComesBackToTheLastBit) {
  const RunResult result = full_result();
  const RunResult back = run_result_from_json(to_json(result));
  EXPECT_EQ(to_json(back), to_json(result));
  EXPECT_EQ(back.time_s, result.time_s);
  EXPECT_EQ(back.channels, 2);
  EXPECT_EQ(back.ranks_simulated, 1);
  EXPECT_EQ(back.slice_bytes, 4096);
  EXPECT_EQ(back.steps, 6u);
  EXPECT_EQ(back.closed_form_s, result.closed_form_s);
  EXPECT_EQ(back.verified, result.verified);
  EXPECT_EQ(back.max_ulps, 1.5);
  EXPECT_EQ(back.reduce_wall_s, 0.01);
  ASSERT_TRUE(back.explanation);
  EXPECT_EQ(back.explanation->split.slow_rank_s, 0.08);
  EXPECT_EQ(back.explanation->split.floor_s, 0.01);
  ASSERT_EQ(back.explanation->busiest_links.size(), 1u);
  EXPECT_EQ(back.explanation->busiest_links[0].load, 0.75);
  ASSERT_EQ(back.explanation->path.size(), 2u);
  EXPECT_EQ(back.explanation->path[1].what, "reduce at rank 1");
  EXPECT_EQ(back.explanation->path[1].begin_s, 0.1);
}

TEST(RunResultJson, WhatIsNotKnownIsNullAndStaysUnknown) {
  RunResult result = full_result();
  result.verified.reset();
  result.closed_form_s.reset();
  result.explanation.reset();
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_TRUE(json.at("verified").is_null());
  EXPECT_TRUE(json.at("closed_form_s").is_null());
  EXPECT_TRUE(json.at("explain").is_null());
  const RunResult back = run_result_from_json(to_json(result));
  EXPECT_FALSE(back.verified);
  EXPECT_FALSE(back.closed_form_s);
  EXPECT_FALSE(back.explanation);
}

TEST(RunResultJson, AnInfiniteErrorIsNullAndComesBackInfinite) {
  RunResult result = full_result();
  result.max_abs_error = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(nlohmann::json::parse(to_json(result)).at("max_abs_error").is_null());
  EXPECT_EQ(run_result_from_json(to_json(result)).max_abs_error, result.max_abs_error);
}

TEST(RunResultJson, TextOfAnotherKindIsRefused) {
  EXPECT_THROW(run_result_from_json("{}"), Error);
  EXPECT_THROW(run_result_from_json("nothing"), Error);
  EXPECT_THROW(run_result_from_json(R"({"schema": "reducelab.compare/1"})"), Error);
}

TEST(RunResult, RatesAreThoseOfNcclTests) {
  RunResult result;
  result.spec.bytes = 1'000'000'000;
  result.spec.type = DataType::float32;
  result.ranks = 8;
  result.time_s = 0.01;
  EXPECT_DOUBLE_EQ(result.algbw_GBps(), 100);
  EXPECT_DOUBLE_EQ(result.busbw_GBps(), 100 * 2 * 7.0 / 8);
  result.ranks = 1;
  EXPECT_EQ(result.busbw_GBps(), 0);
  result.time_s = 0;
  EXPECT_EQ(result.algbw_GBps(), 0);
}

TEST(RunResult, SizesAreCutToWholeElements) {
  RunResult result;
  result.spec.bytes = 1003;
  result.spec.type = DataType::float64;
  EXPECT_EQ(result.count(), 125);
}

}  // namespace
}  // namespace reducelab
