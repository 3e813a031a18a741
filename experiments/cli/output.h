#pragma once

#include <string>
#include <string_view>

namespace reducelab {

/// Thrown when whoever read our standard output has closed it: the rest is of no use, and no error.
struct OutputClosed {};

/// Keeps files and pipes from taking the numbers of standard streams that came closed, and makes
/// writing to a closed pipe an answer instead of a signal. Call it first.
void prepare_streams();

/// Writes to standard output at once. Throws OutputClosed, or a usage Error if it cannot be written
/// (a full disk).
void print(std::string_view text);

/// Colour belongs on terminals alone, and nowhere if NO_COLOR is set (https://no-color.org).
bool colour_on_stdout();
bool colour_on_stderr();

/// One line on standard error that is overwritten in place; silent unless that is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(std::string_view text);
  /// Before anything else is printed.
  void clear();

 private:
  bool on_;
  bool shown_ = false;
};

}  // namespace reducelab
