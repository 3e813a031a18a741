#include "experiments/worker/wall_limit.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "experiments/worker/worker_pool.h"
#include "process.h"

namespace reducelab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Takes far longer than any limit here, however fast the machine.
const std::string kLongRun =
    " --topology single-switch:hosts=2048 --algorithm ring --size 64MiB "
    "--engine simgrid --data none --wall-limit 100ms";

RunSpec job(std::int64_t bytes) {
  RunSpec spec;
  spec.bytes = bytes;
  return spec;
}

/// Hangs in one of several ways, by the size of the job; size 0 does not.
RunResult hang(const RunSpec& spec) {
  RunResult result;
  result.spec = spec;
  if (spec.bytes == 0) return result;
  if (spec.bytes == 1) {  // busy
    for (const std::atomic<bool> go_on{true}; go_on;) {
    }
  }
  if (spec.bytes == 2) {  // deaf
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
  }
  if (spec.bytes == 3) {  // looks as if it had ended
    for (int descriptor = 1; descriptor < 256; ++descriptor) ::close(descriptor);
  }
  for (;;) ::pause();
}

TEST(WallLimit, EndsAChildHoweverItHangsAndTheOthersGoOn) {
  const std::vector<RunSpec> jobs{job(1), job(0), job(2), job(3), job(0)};
  std::vector<Outcome> outcomes;
  run_in_workers(jobs, 5, hang,
                 {[&](std::size_t, const Outcome& outcome) { outcomes.push_back(outcome); }, {}},
                 0.2);
  ASSERT_EQ(outcomes.size(), 5u);
  for (const std::size_t hung : {0u, 2u, 3u}) {
    const Error* error = std::get_if<Error>(&outcomes[hung]);
    ASSERT_TRUE(error) << hung;
    EXPECT_EQ(error->exit_code(), 4);
    EXPECT_THAT(error->what(), HasSubstr("longer than the wall limit of 200ms"));
    EXPECT_THAT(error->what(), HasSubstr("raise --wall-limit"));
  }
  EXPECT_TRUE(std::holds_alternative<RunResult>(outcomes[1]));
  EXPECT_TRUE(std::holds_alternative<RunResult>(outcomes[4]));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is still there";
}

TEST(WallLimit, RunEndsWithOneLine) {
  const ProcessResult result = shell("\"$REDUCELAB\" run" + kLongRun);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("wall limit of 100ms"));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

TEST(WallLimit, CompareReportsThePointAsFailed) {
  const ProcessResult result = shell("\"$REDUCELAB\" compare --json" + kLongRun);
  EXPECT_EQ(result.exit_code, 4);
  const json failed = result.json().at("failed");
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed.at(0).at("algorithm"), "ring");
  EXPECT_THAT(failed.at(0).at("error").at("message").get<std::string>(), HasSubstr("wall limit"));
}

TEST(WallLimit, AWorkerTellsItsOwnEnd) {
  RunSpec spec;
  spec.topology = "single-switch:hosts=2048";
  spec.bytes = 64 << 20;
  spec.engine = "simgrid";
  spec.data = DataMode::none;
  const ProcessResult worker = reducelab({"worker", "--wall-limit", "100ms"}, to_json(spec));
  EXPECT_EQ(worker.exit_code, 4);
  const auto outcome = read_outcome(worker.out);
  ASSERT_TRUE(outcome && std::holds_alternative<Error>(*outcome));
  EXPECT_EQ(std::get<Error>(*outcome).message(), wall_limit_error(0.1).message());
}

TEST(WallLimit, LeavesNoAlarmBehindARunThatIsInTime) {
  const ProcessResult worker =
      reducelab({"worker", "--wall-limit", "1h"}, R"({"topology": "single-switch:hosts=4"})");
  EXPECT_EQ(worker.exit_code, 0) << worker.out;
}

TEST(WallLimit, MustLeaveTime) {
  for (const char* limit : {"0", "-1s", "3", "soon"}) {
    const ProcessResult result = reducelab({"run", "--wall-limit", limit});
    EXPECT_EQ(result.exit_code, 2) << limit;
    EXPECT_THAT(result.err, HasSubstr("--wall-limit")) << limit;
  }
}

}  // namespace
}  // namespace reducelab
