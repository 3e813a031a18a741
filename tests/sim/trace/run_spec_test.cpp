#include "sim/trace/run_spec.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A spec none of whose fields has its default value.
RunSpec unusual_spec() {
  RunSpec spec;
  spec.topology = "clusters/\"odd\".toml";
  spec.ranks = 5;
  spec.placement = "4,3,2,1,0";
  spec.algorithm = "double-tree";
  spec.params = {{"channels", "2"}, {"slice_bytes", "64KiB"}};
  spec.bytes = std::int64_t{1} << 62;
  spec.type = DataType::bfloat16;
  spec.op = ReduceOp::max;
  spec.engine = "analytic";
  spec.profile = "nccl";
  spec.protocol = "LL128";
  spec.data = DataMode::sampled;
  spec.reducer = "cuda";
  spec.scenario = "[[slow_rank]]\nranks = \"0\"\nfactor = 1.1\n";
  spec.symmetry = Symmetry::off;
  spec.seed = 18'446'744'073'709'551'615u;
  spec.explain = true;
  spec.trace_file = "out/trace.json";
  return spec;
}

std::string message_of(const std::string& json) {
  try {
    run_spec_from_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    EXPECT_THAT(error.what(), Not(HasSubstr("json.exception")));
    return error.what();
  }
  return "accepted";
}

TEST(RunSpecJson, EveryFieldComesBack) {
  const RunSpec spec = unusual_spec();
  const RunSpec back = run_spec_from_json(to_json(spec));
  EXPECT_EQ(back.topology, spec.topology);
  EXPECT_EQ(back.ranks, spec.ranks);
  EXPECT_EQ(back.placement, spec.placement);
  EXPECT_EQ(back.collective, spec.collective);
  EXPECT_EQ(back.algorithm, spec.algorithm);
  EXPECT_EQ(back.params, spec.params);
  EXPECT_EQ(back.bytes, spec.bytes);
  EXPECT_EQ(back.type, spec.type);
  EXPECT_EQ(back.op, spec.op);
  EXPECT_EQ(back.engine, spec.engine);
  EXPECT_EQ(back.profile, spec.profile);
  EXPECT_EQ(back.protocol, spec.protocol);
  EXPECT_EQ(back.data, spec.data);
  EXPECT_EQ(back.reducer, spec.reducer);
  EXPECT_EQ(back.scenario, spec.scenario);
  EXPECT_EQ(back.symmetry, spec.symmetry);
  EXPECT_EQ(back.seed, spec.seed);
  EXPECT_EQ(back.explain, spec.explain);
  EXPECT_EQ(back.trace_file, spec.trace_file);
  EXPECT_EQ(to_json(back), to_json(spec));
}

TEST(RunSpecJson, MissingKeysTakeTheDefaults) {
  EXPECT_EQ(to_json(run_spec_from_json("{}")), to_json(RunSpec{}));
  const RunSpec spec = run_spec_from_json(R"({"algorithm": "linear", "dtype": "fp16"})");
  EXPECT_EQ(spec.algorithm, "linear");
  EXPECT_EQ(spec.type, DataType::float16);
  EXPECT_EQ(spec.bytes, RunSpec{}.bytes);
}

TEST(RunSpecJson, AnUnknownKeyIsAnErrorWithASuggestion) {
  EXPECT_THAT(message_of(R"({"algoritm": "ring"})"),
              HasSubstr(R"(job: unknown key "algoritm"; did you mean "algorithm"?)"));
}

TEST(RunSpecJson, AValueOfTheWrongTypeIsNamed) {
  EXPECT_THAT(message_of(R"({"ranks": "8"})"), HasSubstr(R"("ranks" must be a whole number)"));
  EXPECT_THAT(message_of(R"({"ranks": -1})"), HasSubstr(R"("ranks" must be a whole number)"));
  EXPECT_THAT(message_of(R"({"ranks": 1.5})"), HasSubstr(R"("ranks" must be a whole number)"));
  EXPECT_THAT(message_of(R"({"ranks": 4294967296})"), HasSubstr(R"("ranks" must be at most)"));
  EXPECT_THAT(message_of(R"({"bytes": 9223372036854775808})"),
              HasSubstr(R"("bytes" must be at most)"));
  EXPECT_THAT(message_of(R"({"topology": 4})"), HasSubstr(R"("topology" must be a text)"));
  EXPECT_THAT(message_of(R"({"explain": 1})"), HasSubstr(R"("explain" must be true or false)"));
  EXPECT_THAT(message_of(R"({"params": {"channels": 2}})"), HasSubstr("params.channels"));
  EXPECT_THAT(message_of(R"({"scenario": {"x": 2}})"), HasSubstr(R"("scenario" must be a text)"));
  EXPECT_THAT(message_of(R"({"dtype": "floaty"})"), HasSubstr("floaty"));
  EXPECT_THAT(message_of(R"({"data": "som"})"), HasSubstr(R"(unknown data mode "som")"));
}

TEST(RunSpecJson, TextThatIsNoObjectIsOneLineWithItsPlace) {
  EXPECT_THAT(message_of(""), HasSubstr("it is empty"));
  EXPECT_THAT(message_of("[1]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(message_of("{\n  \"ranks\": 8,\n  oops\n}"), HasSubstr("job:3:"));
}

TEST(DataModeName, IsReadBackAndUnknownOnesAreRefused) {
  for (const DataMode mode :
       {DataMode::automatic, DataMode::full, DataMode::sampled, DataMode::none}) {
    EXPECT_EQ(parse_data_mode(name_of(mode)), mode);
  }
  EXPECT_THROW(parse_data_mode("ful"), Error);
}

}  // namespace
}  // namespace reducelab
