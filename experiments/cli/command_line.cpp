#include "experiments/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <vector>

#include "core/text.h"
#include "experiments/cli/output.h"

namespace reducelab {
namespace {

bool is_help(std::string_view word) {
  return word == "--help" || word == "-h";
}

std::string help_text(std::string_view program, std::span<const Command> commands) {
  std::string text = fmt::format("usage: {} COMMAND [OPTIONS]\n\ncommands:\n", program);
  std::size_t width = 0;
  for (const Command& command : commands) width = std::max(width, command.name.size());
  for (const Command& command : commands) {
    text += fmt::format("  {:<{}}  {}\n", command.name, width, command.sentence);
  }
  return text + fmt::format("\n{} COMMAND --help tells more.\n", program);
}

/// What nobody asked for: an option that does not exist, or one word too many.
Error unexpected(const CLI::App& app, const std::string& word) {
  const std::string help = fmt::format("list: {} --help", app.get_name());
  if (word.size() < 2 || word.front() != '-') {
    return usage_error("{}: unexpected argument \"{}\"", app.get_name(), word).note(help);
  }
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& known : option->get_lnames()) options.push_back("--" + known);
  }
  std::string message = fmt::format("{}: unknown option \"{}\"", app.get_name(), name);
  const std::vector<std::string_view> candidates(options.begin(), options.end());
  if (const auto near = nearest_name(name, candidates); !near.empty()) {
    message += fmt::format("; did you mean \"{}\"?", near);
  }
  return usage_error("{}", message).note(help);
}

}  // namespace

int dispatch(std::string_view program, std::span<const Command> commands, Arguments arguments) {
  const std::string help = fmt::format("list: {} --help", program);
  if (arguments.empty()) {
    throw usage_error("no command given").note(help);
  }
  const std::string& word = arguments.front();
  if (is_help(word)) {
    print(help_text(program, commands));
    return 0;
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    if (command.name == word) return command.run(arguments.subspan(1));
    names.push_back(command.name);
  }
  throw unknown_name(word.starts_with('-') ? "option" : "command", word, names).note(help);
}

bool parse_arguments(CLI::App& app, Arguments arguments) {
  app.allow_extras();
  app.get_formatter()->column_width(32);
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    const std::string name = text.substr(0, text.find(':'));
    if (text.find("missing") == text.npos) {
      throw usage_error("{}: {} is given more than once", app.get_name(), name);
    }
    throw usage_error("{}: {} needs a value", app.get_name(), name);
  } catch (const CLI::ParseError& error) {
    throw usage_error("{}: {}", app.get_name(), error.what());
  }
  if (const auto left = app.remaining(); !left.empty()) throw unexpected(app, left.front());
  return true;
}

std::int64_t parse_whole(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::invalid_argument || end != text.data() + text.size()) {
    throw usage_error("\"{}\" is not a whole number", text);
  }
  if (code != std::errc{} || value < least || value > most) {
    throw usage_error("{} is not between {} and {}", text, least, most);
  }
  return value;
}

}  // namespace reducelab
