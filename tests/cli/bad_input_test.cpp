#include <gmock/gmock.h>

#include <algorithm>

#include "process.h"

namespace reducelab {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::string>;

/// One clear line on standard error, nothing on standard output, and the exit code.
void expect_one_line(const ProcessResult& result, const std::string& text, int exit_code = 2) {
  EXPECT_EQ(result.exit_code, exit_code);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("reducelab: error: "));
  EXPECT_THAT(result.err, EndsWith("\n"));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr(text));
  EXPECT_THAT(result.err, Not(HasSubstr("json.exception")));
  EXPECT_THAT(result.err, Not(HasSubstr("\x1b"))) << "colour belongs on terminals";
}

struct BadInput {
  std::string name;
  Words words;
  std::string text;
  int exit_code = 2;
};

void PrintTo(const BadInput& input, std::ostream* out) {
  *out << input.name;
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, GivesOneClearLine) {
  expect_one_line(reducelab(GetParam().words), GetParam().text, GetParam().exit_code);
}

const Words kSmall{"run", "--topology", "single-switch:hosts=4", "--size", "1KiB"};

Words small_run(const Words& more) {
  Words words = kSmall;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<BadInput> kBadInputs{
    {"NoCommand", {}, "no command given"},
    {"UnknownCommand", {"rnu"}, "unknown command \"rnu\"; did you mean \"run\"?"},
    {"UnknownGlobalOption", {"--jsn"}, "unknown option \"--jsn\""},
    {"UnknownOption",
     {"run", "--topolgy", "x"},
     "unknown option \"--topolgy\"; did you mean \"--topology\"?"},
    {"UnknownOptionWithValue",
     {"run", "--sizee=4"},
     "unknown option \"--sizee\"; did you mean \"--size\"?"},
    {"UnexpectedWord", {"run", "ring"}, "unexpected argument \"ring\""},
    {"OptionWithoutValue", {"run", "--size"}, "--size needs a value"},
    {"OptionTwice", {"run", "--size", "1", "--size", "2"}, "--size is given more than once"},
    {"UnknownAlgorithm",
     {"run", "--algorithm", "rign"},
     "unknown algorithm \"rign\"; did you mean \"ring\"?"},
    {"UnknownAlgorithmToList",
     {"algorithms", "rign"},
     "unknown algorithm \"rign\"; did you mean \"ring\"?"},
    {"UnknownAlgorithmToVerify",
     {"verify", "rign"},
     "unknown algorithm \"rign\"; did you mean \"ring\"?"},
    {"UnknownAlgorithmToCompare",
     {"compare", "--algorithms", "ring,rign"},
     "unknown algorithm \"rign\"; did you mean \"ring\"?"},
    {"UnknownTopology",
     {"topology", "show", "single-swich:hosts=4"},
     "did you mean \"single-switch\"?"},
    {"UnknownTopologyParameter", {"topology", "show", "single-switch:hosst=4"}, "hosst"},
    {"NoTopology", {"topology", "show"}, "needs a topology"},
    {"MissingTopologyFile", {"topology", "check", "/nonexistent/x.toml"}, "/nonexistent/x.toml"},
    {"MissingTopologyFileToRun",
     {"run", "--topology", "/nonexistent/x.toml"},
     "/nonexistent/x.toml"},
    {"NegativeBandwidth",
     {"run", "--topology", "single-switch:hosts=4,bandwidth=-1Gbps"},
     "bandwidth must not be negative"},
    {"NoRanks", small_run({"--ranks", "0"}), "--ranks: 0 is not between 1 and"},
    {"RanksNotANumber", small_run({"--ranks", "four"}), "--ranks: \"four\" is not a whole number"},
    {"UnknownCollective", small_run({"--collective", "allgather"}), "unknown collective"},
    {"UnknownType", small_run({"--dtype", "flaot"}), "--dtype: unknown"},
    {"UnknownOperation", small_run({"--op", "summ"}), "did you mean \"sum\"?"},
    {"UnknownEngine", small_run({"--engine", "simgird"}), "did you mean \"simgrid\"?"},
    {"UnknownProfile", small_run({"--profile", "idael"}), "did you mean \"ideal\"?"},
    {"MissingProfileFile", small_run({"--profile", "/nonexistent/p.toml"}), "/nonexistent/p.toml"},
    {"UnknownProtocol", small_run({"--profile", "nccl", "--protocol", "LL12"}),
     "did you mean \"LL128\"?"},
    {"UnknownDataMode", small_run({"--data", "ful"}), "did you mean \"full\"?"},
    {"UnknownReducer", small_run({"--reducer", "gpu"}), "unknown reducer \"gpu\""},
    {"UnknownSymmetry", small_run({"--symmetry", "on"}), "unknown symmetry \"on\""},
    {"UnknownPlacement", small_run({"--placement", "blok"}), "did you mean \"block\"?"},
    {"PlaceThatDoesNotExist", small_run({"--ranks", "2", "--placement", "0,9"}), "place 9"},
    {"UnknownParameter", small_run({"--param", "chanels=2"}),
     "unknown parameter of ring \"chanels\"; did you mean \"channels\"?"},
    {"ParameterWithoutValue", small_run({"--param", "channels"}),
     "--param: \"channels\" is not NAME=VALUE"},
    {"ParameterTwice", small_run({"--param", "channels=1", "--channels", "2"}),
     "both set the same parameter"},
    {"ParameterOutOfRange", small_run({"--channels", "0"}), "parameter \"channels\" is 0"},
    {"ChannelsForAnAlgorithmWithout", small_run({"--algorithm", "one-shot", "--channels", "2"}),
     "unknown parameter \"channels\"; one-shot has none"},
    {"SliceForAnAlgorithmWithout", small_run({"--algorithm", "linear", "--slice", "4KiB"}),
     "unknown parameter of linear \"slice_bytes\""},
    {"ParameterOfNoAlgorithm",
     {"compare", "--param", "chanels=2", "--sizes", "1KiB"},
     "did you mean \"channels\"?"},
    {"SizeWithoutMeaning", {"run", "--size", "big"}, "--size: cannot read \"big\" as a size"},
    {"NegativeSize", {"run", "--size", "-5"}, "--size: size must not be negative"},
    {"SizeOver63Bits", {"run", "--size", "16777216TiB"}, "does not fit 63 bits"},
    {"SizeOver62Bits", {"run", "--size", "5000000TiB"}, "is not between 0 and 2^62"},
    {"SizesBackwards", {"compare", "--sizes", "1MiB:1KiB:x2"}, "ends below its start"},
    {"SizesWithoutStep", {"compare", "--sizes", "1KiB:1MiB:x1"}, "a factor must be over 1"},
    {"SlowRankWithoutFactor", small_run({"--slow-rank", "2"}), "RANKS:FACTOR"},
    {"SlowRankOfFactorZero", small_run({"--slow-rank", "2:0"}), "--slow-rank 2:0"},
    {"SlowRankThatDoesNotExist", small_run({"--slow-rank", "7:2"}), "--slow-rank 7:2"},
    {"SlowLinkThatDoesNotExist", small_run({"--slow-link", "nowhere:0.5"}), "nowhere"},
    {"FailureWithoutTime", small_run({"--fail", "rank:3"}), "--fail"},
    {"FailureOfNobody", small_run({"--fail", "rank:9@1ms"}), "--fail rank:9@1ms"},
    {"UnknownAnswerToFailure", small_run({"--on-failure", "shrnk"}), "did you mean \"shrink\"?"},
    {"ScenarioThatIsNotThere", small_run({"--scenario", "no.toml"}), "no.toml"},
    {"ScenarioOnTheAnalyticEngine",
     small_run({"--engine", "analytic", "--data", "none", "--slow-rank", "1:2"}),
     "knows no scenarios"},
    {"BadSeed", small_run({"--seed", "-1"}), "--seed: \"-1\" is not a whole number"},
    {"TraceIntoNoDirectory", small_run({"--trace", "/nonexistent/trace.json"}),
     "there is no directory /nonexistent"},
    {"TraceOntoADirectory", small_run({"--trace", "/tmp"}), "/tmp is a directory"},
    {"UnknownMetric", {"compare", "--metric", "buswb"}, "did you mean \"busbw\"?"},
    {"NoJobs", {"compare", "-j", "0"}, "-j: 0 is not between 1 and"},
    {"MissingLog", {"compare", "--measured", "/nonexistent/log"}, "/nonexistent/log"},
    {"MeasuredAlgorithmNotCompared",
     {"compare", "--algorithms", "ring", "--algorithm-measured", "linear", "--measured",
      MEASURED "/h100-4n32r-ib400-nccl2262.txt"},
     "linear is not among the algorithms compared"},
    {"VerifyWithoutAlgorithm", {"verify"}, "needs an algorithm, or all"},
    {"VerifyRangeBackwards", {"verify", "ring", "--ranks", "9:3"}, "ends below its start"},
    {"VerifyNoRanks", {"verify", "ring", "--ranks", "0"}, "--ranks: 0 is not between 1 and"},
};

INSTANTIATE_TEST_SUITE_P(CommandLine, BadInputTest, testing::ValuesIn(kBadInputs),
                         [](const auto& test) { return test.param.name; });

TEST(BadTopologyFile, AnUnknownKeyIsNamedWithItsPlaceAndASuggestion) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("my.toml",
                                        "[[device]]\nname = \"a\"\nkind = \"host\"\n"
                                        "[[device]]\nname = \"b\"\nkind = \"host\"\n"
                                        "[[link]]\nfrom = \"a\"\nto = \"b\"\n"
                                        "bandwidth = \"1Gbps\"\nlatncy = \"1us\"\n");
  expect_one_line(reducelab({"run", "--topology", file}),
                  file + ":11:1: unknown key \"latncy\"; did you mean \"latency\"?");
}

TEST(BadTopologyFile, ANegativeBandwidthIsNamedWithItsPlace) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("my.toml",
                                        "[[device]]\nname = \"a\"\nkind = \"host\"\n"
                                        "[[device]]\nname = \"b\"\nkind = \"host\"\n"
                                        "[[link]]\nfrom = \"a\"\nto = \"b\"\n"
                                        "bandwidth = \"-1Gbps\"\nlatency = \"1us\"\n");
  expect_one_line(reducelab({"topology", "show", file}), file + ":10:");
}

TEST(BadOptions, JsonAndCsvExcludeEachOtherAndTheErrorIsJsonToo) {
  const ProcessResult result = reducelab(small_run({"--json", "--csv"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "reducelab: error: --json and --csv exclude each other\n");
  EXPECT_EQ(result.json().at("schema"), "reducelab.error/1");
  EXPECT_EQ(result.json().at("error").at("code"), 2);
}

TEST(BadTopologyFile, ARankThatCannotBeReachedIsNamed) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("my.toml",
                                        "[[device]]\nname = \"a\"\nkind = \"host\"\n"
                                        "[[device]]\nname = \"b\"\nkind = \"host\"\n"
                                        "[[device]]\nname = \"alone\"\nkind = \"host\"\n"
                                        "[[link]]\nbetween = [\"a\", \"b\"]\n"
                                        "bandwidth = \"1Gbps\"\nlatency = \"1us\"\n");
  expect_one_line(reducelab({"run", "--topology", file, "--size", "1KiB"}), "alone");
  const ProcessResult check = reducelab({"topology", "check", file, "--json"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_EQ(check.json().at("ok"), false);
}

TEST(BadLog, WithoutATableIsNamed) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("log.txt", "nothing\nof the kind\n");
  expect_one_line(reducelab({"compare", "--sizes", "1KiB", "--measured", file}), file);
}

TEST(TooManyRanks, NamesBothNumbers) {
  const ProcessResult result = reducelab(small_run({"--ranks", "5"}));
  expect_one_line(result, "5");
  EXPECT_THAT(result.err, HasSubstr("4"));
}

TEST(Reducer, ThatThisBuildLacksIsUnsupported) {
  const ProcessResult result = reducelab(small_run({"--reducer", "cuda"}));
  if (result.exit_code == 0) GTEST_SKIP() << "this build has the CUDA reducer";
  expect_one_line(result, "CUDA", 3);
}

TEST(JsonError, IsAlsoAnObjectOnStandardOutput) {
  const ProcessResult result = reducelab(small_run({"--algorithm", "rign", "--json"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1);
  const auto json = result.json();
  EXPECT_EQ(json.at("schema"), "reducelab.error/1");
  EXPECT_EQ(json.at("error").at("code"), 2);
  EXPECT_THAT(json.at("error").at("message").get<std::string>(), HasSubstr("rign"));
}

}  // namespace
}  // namespace reducelab
