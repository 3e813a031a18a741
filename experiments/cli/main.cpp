#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "core/error.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/output.h"

namespace reducelab {
namespace {

constexpr std::array<Command, 6> kCommands{{
    {"algorithms", "list the all-reduce algorithms, or tell all about one", command_algorithms},
    {"topology", "list, show and check clusters", command_topology},
    {"verify", "prove algorithms right by running them on symbols", command_verify},
    {"run", "simulate one all-reduce and check its result", command_run},
    {"compare", "simulate algorithms over sizes, beside a measured log if there is one",
     command_compare},
    {"worker", "run one job given as JSON, for programs that start simulations", command_worker},
}};

/// One line for people; with --json also an object where the result would have been.
int report(const Error& error, bool json) {
  const bool colour = colour_on_stderr();
  const std::string line = fmt::format("reducelab: {}error:{} {}\n", colour ? "\x1b[1;31m" : "",
                                       colour ? "\x1b[0m" : "", error.what());
  std::fputs(line.c_str(),
             stderr);  // unlike fmt::print, takes a closed standard error in its stride
  if (json) {
    try {
      print(fmt::format("{{\"schema\":\"reducelab.error/1\",\"error\":{}}}\n", error.to_json()));
    } catch (const Error&) {
      // Standard output cannot be written; the line above has been.
    } catch (const OutputClosed&) {
      // Nobody reads it.
    }
  }
  return error.exit_code();
}

int run_command_line(const std::vector<std::string>& words) {
  if (!words.empty() && (words.front() == "--version" || words.front() == "-V")) {
    print("reducelab " REDUCELAB_VERSION "\n");
    return 0;
  }
  return dispatch("reducelab", kCommands, words);
}

}  // namespace
}  // namespace reducelab

// The command line's one error boundary.
int main(int argc, char** argv) {
  using reducelab::Error;
  using reducelab::ErrorCode;
  reducelab::prepare_streams();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool json = std::ranges::find(words, "--json") != words.end();
  try {
    return reducelab::run_command_line(words);
  } catch (const reducelab::OutputClosed&) {
    return 0;
  } catch (const Error& error) {
    return reducelab::report(error, json);
  } catch (const std::bad_alloc&) {
    return reducelab::report(reducelab::run_error("out of memory"), json);
  } catch (const std::exception& exception) {
    return reducelab::report({ErrorCode::bug, fmt::format("unexpected: {}", exception.what())},
                             json);
  }
}
