#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/units.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"
#include "experiments/cli/run_options.h"
#include "experiments/cli/run_report.h"
#include "experiments/worker/worker_pool.h"
#include "sim/simulate.h"

namespace reducelab {
namespace {

/// Finds out before the simulation, not after it, that its trace cannot be written.
void require_writable(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw usage_error("--trace: {} is a directory", file);
  const fs::path parent = fs::path(file).parent_path();
  const fs::path directory = parent.empty() ? fs::path(".") : parent;
  if (!fs::is_directory(directory, ignored)) {
    throw usage_error("--trace: there is no directory {}", directory.string());
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    throw usage_error("--trace: directory {} cannot be written", directory.string());
  }
}

/// The object on indented lines, as JSON that people may read too.
std::string indented(const std::string& json) {
  return nlohmann::ordered_json::parse(json).dump(2) + "\n";
}

}  // namespace

int command_run(Arguments arguments) {
  CLI::App app(
      "Simulate one all-reduce, move and reduce real data, and check the result. Sizes that are no "
      "multiple of the element size are cut to whole elements.",
      "reducelab run");
  JobOptions options;
  OutputOptions output;
  std::string algorithm = RunSpec{}.algorithm;
  std::string size = format_bytes(RunSpec{}.bytes);
  std::string trace;
  bool explain = false;
  app.add_option("--algorithm", algorithm, fmt::format("how it is done [{}]", algorithm))
      ->type_name("NAME");
  app.add_option("--size", size, fmt::format("bytes of the vector on each rank [{}]", size))
      ->type_name("SIZE");
  declare_job_options(app, options);
  app.add_flag("--explain", explain,
               "put the closed form beside the result and tell where the time went");
  app.add_option("--trace", trace, "write a Chrome trace, which ui.perfetto.dev opens")
      ->type_name("FILE");
  declare_output_options(app, output);
  if (!parse_arguments(app, arguments)) return 0;
  if (output.json && output.csv) throw usage_error("--json and --csv exclude each other");

  RunSpec spec = parse_job_options(options);
  spec.algorithm = algorithm;
  spec.params = parse_params(options);
  complete_params(find_algorithm(algorithm), spec.params);  // refuses what does not fit
  spec.bytes = parse_flag("--size", size,
                          [](std::string_view text) { return require_size(parse_bytes(text)); });
  spec.explain = explain;
  spec.trace_file = trace;
  if (!trace.empty()) require_writable(trace);

  ProgressLine progress(!output.quiet);
  progress.show(fmt::format("simulating {} of {} ...", spec.algorithm, format_bytes(spec.bytes)));
  const Outcome outcome = run_in_worker(spec, simulate);
  progress.clear();
  if (const Error* error = std::get_if<Error>(&outcome)) throw *error;
  const RunResult& result = std::get<RunResult>(outcome);
  if (output.json) {
    print(indented(to_json(result)));
  } else if (output.csv) {
    print(csv_header() + csv_row(result));
  } else if (output.quiet) {
    const ResultRow row = result_row(result);
    print(nccl_tests_table({&row, 1}, {}));
  } else {
    print(run_report(result));
  }
  if (explain && !output.json && !output.csv) print("\n" + explain_report(result));
  if (!trace.empty() && !output.json && !output.csv && !output.quiet) {
    print(fmt::format("# trace in {}; open it at https://ui.perfetto.dev\n", trace));
  }
  return 0;
}

}  // namespace reducelab
