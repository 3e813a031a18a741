#include <gmock/gmock.h>

#include <sstream>

#include "experiments/worker/serve_job.h"
#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::vector<json> events_of(const ProcessResult& result) {
  std::vector<json> events;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  return events;
}

TEST(WorkerCommand, TellsStartAndResultAsJsonLines) {
  RunSpec spec;
  spec.topology = "single-switch:hosts=4";
  spec.bytes = 4096;
  spec.seed = 9;
  const ProcessResult worker = reducelab({"worker"}, to_json(spec));
  EXPECT_EQ(worker.exit_code, 0) << worker.err;
  EXPECT_EQ(worker.err, "");
  const auto events = events_of(worker);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].at("event"), "started");
  EXPECT_EQ(events[0].at("schema"), "reducelab.worker/1");
  EXPECT_EQ(events[0].at("spec"), json::parse(to_json(spec)));
  EXPECT_EQ(events[1].at("event"), "result");
  const RunResult result = run_result_from_json(events[1].at("result").dump());
  EXPECT_EQ(result.ranks, 4);
  EXPECT_EQ(result.spec.seed, 9u);
  EXPECT_EQ(result.verified, true);

  const auto outcome = read_outcome(worker.out);
  ASSERT_TRUE(outcome && std::holds_alternative<RunResult>(*outcome));
  EXPECT_EQ(std::get<RunResult>(*outcome).time_s, result.time_s);
}

TEST(WorkerCommand, TellsErrorsAsAnEventWithTheUsualExitCode) {
  const ProcessResult worker = reducelab({"worker"}, R"({"algorithm": "rign"})");
  EXPECT_EQ(worker.exit_code, 2);
  const auto outcome = read_outcome(worker.out);
  ASSERT_TRUE(outcome && std::holds_alternative<Error>(*outcome));
  EXPECT_EQ(std::get<Error>(*outcome).code(), ErrorCode::usage);
  EXPECT_THAT(std::get<Error>(*outcome).what(), HasSubstr("did you mean \"ring\"?"));
}

TEST(WorkerCommand, RefusesWhatIsNoJob) {
  for (const std::string input :
       {"", "ring", "[]", R"({"algoritm": "ring"})", R"({"ranks": -1})"}) {
    const ProcessResult worker = reducelab({"worker"}, input);
    EXPECT_EQ(worker.exit_code, 2) << input;
    const auto events = events_of(worker);
    ASSERT_EQ(events.size(), 1u) << input;
    EXPECT_EQ(events[0].at("event"), "error");
    EXPECT_EQ(events[0].at("error").at("code"), 2);
  }
}

}  // namespace
}  // namespace reducelab
