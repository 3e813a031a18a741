#pragma once

#include <span>
#include <string>
#include <vector>

namespace reducelab {

enum class Align { left, right };

struct TextColumn {
  std::string header;
  Align align = Align::right;
};

/// Rows of text cells that print as an aligned table or as CSV.
class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  /// A row of another width than the header is an ErrorCode::bug.
  void add_row(std::vector<std::string> cells);

  /// Header and rows, columns two blanks apart, no blanks at line ends; widths in code points.
  std::string to_text() const;
  /// Header and rows as CSV lines.
  std::string to_csv() const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// One CSV line with RFC 4180 quoting, ended by `\n`.
std::string csv_line(std::span<const std::string> cells);

}  // namespace reducelab
