#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace reducelab {

/// What kind of failure it was; the numbers are the process exit codes.
enum class ErrorCode {
  usage = 2,        ///< bad command line or bad input file
  unsupported = 3,  ///< valid, but not possible on this machine or with this build
  failed = 4,       ///< the run itself failed: deadlock, wrong result, physical floor violated
  bug = 70,         ///< a fault of ours
};

/// A place in an input file; line and column count from 1, 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The one exception type: what went wrong, where, and what to do about it.
/// It is caught at three places only (CLI main, worker main, GUI job) and crosses processes as
/// JSON.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string message, SourceLocation where = {});

  /// Adds a line of advice or context, e.g. the list of valid names.
  Error& note(std::string text);

  ErrorCode code() const { return code_; }
  int exit_code() const { return static_cast<int>(code_); }
  const std::string& message() const { return message_; }
  const SourceLocation& where() const { return where_; }
  const std::vector<std::string>& notes() const { return notes_; }

  /// `file:line:col: message (note; note)` on one line.
  const char* what() const noexcept override { return text_.c_str(); }

  /// One JSON object {code, message, notes, file, line, column}.
  std::string to_json() const;
  /// The inverse of `to_json`; text that is not such an object becomes an ErrorCode::bug.
  static Error from_json(const std::string& text);

 private:
  void compose();

  ErrorCode code_;
  std::string message_;
  SourceLocation where_;
  std::vector<std::string> notes_;
  std::string text_;
};

/// An input or command-line error (exit code 2) with a formatted message.
template <class... Args>
Error usage_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::usage, fmt::format(format, std::forward<Args>(args)...)};
}

/// A failed run (exit code 4) with a formatted message.
template <class... Args>
Error run_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::failed, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace reducelab
