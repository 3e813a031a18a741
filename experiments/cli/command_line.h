#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace CLI {
class App;
}

namespace reducelab {

/// The words after the command's name.
using Arguments = std::span<const std::string>;

/// One command: a row of the table that dispatch, `--help` and "did you mean" are made from.
struct Command {
  std::string_view name;
  std::string_view sentence;
  int (*run)(Arguments arguments);  ///< returns the exit code
};

int command_algorithms(Arguments arguments);
int command_topology(Arguments arguments);
int command_verify(Arguments arguments);
int command_run(Arguments arguments);
int command_compare(Arguments arguments);
int command_worker(Arguments arguments);

/// Runs the command that the first word names; unknown names are a usage Error. `program` is what
/// comes before that word, e.g. `reducelab topology`.
int dispatch(std::string_view program, std::span<const Command> commands, Arguments arguments);

/// Parses; false if help was asked for and printed. What does not fit is a usage Error of one line
/// with a suggestion.
bool parse_arguments(CLI::App& app, Arguments arguments);

/// A whole number within [least, most]; anything else is a usage Error.
std::int64_t parse_whole(std::string_view text, std::int64_t least, std::int64_t most);

/// The value that `parse` makes of a flag's text; its usage Error then names the flag.
template <class Parse>
auto parse_flag(std::string_view flag, std::string_view text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& error) {
    Error named(error.code(), fmt::format("{}: {}", flag, error.message()), error.where());
    for (const std::string& note : error.notes()) named.note(note);
    throw named;
  }
}

}  // namespace reducelab
