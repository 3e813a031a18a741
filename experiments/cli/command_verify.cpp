#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "algorithms/verify/verify.h"
#include "core/text.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"
#include "experiments/cli/run_options.h"

namespace reducelab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostRanks = 4096;
constexpr std::int64_t kMostCount = std::int64_t{1} << 40;

/// `1:33` (both ends), `5` or `1,2,8:16`.
std::vector<std::int64_t> parse_numbers(std::string_view text, std::int64_t least,
                                        std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : split(text, ',')) {
    const auto colon = part.find(':');
    const std::int64_t first = parse_whole(part.substr(0, colon), least, most);
    const std::int64_t last =
        colon == part.npos ? first : parse_whole(part.substr(colon + 1), least, most);
    if (last < first) throw usage_error("range \"{}\" ends below its start", part);
    constexpr std::int64_t kMostNumbers = 100'000;
    if (last - first >= kMostNumbers) throw usage_error("range \"{}\" is too long", part);
    for (std::int64_t number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

/// What one algorithm's verification gave over all worlds.
struct VerifySummary {
  std::string algorithm;
  int worlds = 0;
  int refused = 0;
  std::string refusal;  ///< the first one's reason
  int errors = 0;
  Json findings = Json::array();
  std::string lines;
};

void verify_world(const Algorithm& algorithm, int ranks, std::int64_t count,
                  const std::map<std::string, std::string>& params, VerifySummary& summary) {
  World world;
  world.ranks = ranks;
  world.count = count;
  world.params = complete_params(algorithm, params);
  if (algorithm.refusal != nullptr) {
    if (const std::string reason = algorithm.refusal(world); !reason.empty()) {
      ++summary.refused;
      if (summary.refusal.empty()) summary.refusal = reason;
      return;
    }
  }
  ++summary.worlds;
  const VerifyReport report = verify(algorithm, world);
  for (const auto& finding : report.findings) {
    const bool error = finding.severity == decltype(finding.severity)::error;
    summary.errors += error ? 1 : 0;
    const std::string_view severity = error ? "error" : "warning";
    summary.findings.push_back({{"ranks", ranks},
                                {"count", count},
                                {"id", finding.id},
                                {"severity", severity},
                                {"participant", finding.participant},
                                {"message", finding.message}});
    summary.lines += fmt::format("{}, {} ranks, {} elements: {} {}: {}\n", algorithm.name, ranks,
                                 count, finding.id, severity, finding.message);
  }
}

std::string summary_line(const VerifySummary& summary) {
  std::string line =
      fmt::format("{:<20} {:>5} cases  {}", summary.algorithm, summary.worlds,
                  summary.errors == 0 ? "ok" : fmt::format("{} errors", summary.errors));
  if (summary.refused > 0) {
    line += fmt::format("  ({} more refused: {})", summary.refused, summary.refusal);
  }
  return line + "\n";
}

std::vector<const Algorithm*> chosen_algorithms(const std::string& name) {
  if (name != "all") return {&find_algorithm(name)};
  std::vector<const Algorithm*> all;
  for (const Algorithm& algorithm : all_algorithms()) all.push_back(&algorithm);
  return all;
}

}  // namespace

int command_verify(Arguments arguments) {
  CLI::App app(
      "Prove that an algorithm sums every contribution exactly once, without deadlock or race, for "
      "any data and any timing. The exit code is 4 if it does not.",
      "reducelab verify");
  std::string name;
  std::string ranks = "1:33";
  std::string counts = "0,1,1000";
  std::vector<std::string> pairs;
  bool json = false;
  bool quiet = false;
  app.add_option("algorithm", name, "an algorithm, or all")->type_name("ALGORITHM");
  app.add_option("--ranks", ranks, "numbers of ranks: a list, or a range with both ends [1:33]")
      ->type_name("LIST");
  app.add_option("--count", counts, "numbers of elements, likewise [0,1,1000]")->type_name("LIST");
  app.add_option("--param", pairs, "a parameter of the algorithm; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--json", json, "print one JSON object");
  app.add_flag("--quiet", quiet, "findings only");
  if (!parse_arguments(app, arguments)) return 0;
  if (name.empty()) throw usage_error("verify needs an algorithm, or all");

  const auto parse_ranks = [](std::string_view text) { return parse_numbers(text, 1, kMostRanks); };
  const auto parse_counts = [](std::string_view text) {
    return parse_numbers(text, 0, kMostCount);
  };
  const auto rank_list = parse_flag("--ranks", ranks, parse_ranks);
  const auto count_list = parse_flag("--count", counts, parse_counts);
  const auto params = parse_pairs(pairs);
  const std::vector<const Algorithm*> algorithms = chosen_algorithms(name);
  if (algorithms.size() > 1) require_taken(params, algorithms);
  Json results = Json::array();
  int errors = 0;
  ProgressLine progress(!quiet);
  for (const Algorithm* algorithm : algorithms) {
    VerifySummary summary;
    summary.algorithm = algorithm->name;
    const auto own = name == "all" ? params_of(*algorithm, params) : params;
    for (const std::int64_t rank_count : rank_list) {
      progress.show(fmt::format("{}, {} ranks", algorithm->name, rank_count));
      for (const std::int64_t count : count_list) {
        verify_world(*algorithm, static_cast<int>(rank_count), count, own, summary);
      }
    }
    progress.clear();
    errors += summary.errors;
    if (!json) print(summary.lines + (quiet ? "" : summary_line(summary)));
    results.push_back({{"algorithm", summary.algorithm},
                       {"cases", summary.worlds},
                       {"refused", summary.refused},
                       {"errors", summary.errors},
                       {"findings", summary.findings}});
  }
  if (json) {
    print(
        Json{{"schema", "reducelab.verify/1"}, {"ok", errors == 0}, {"results", results}}.dump(2) +
        "\n");
  }
  return errors == 0 ? 0 : static_cast<int>(ErrorCode::failed);
}

}  // namespace reducelab
