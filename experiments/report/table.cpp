#include "experiments/report/table.h"

#include <algorithm>

#include "core/error.h"

namespace reducelab {
namespace {

std::size_t width_of(const std::string& text) {
  const auto starts_code_point = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw Error(ErrorCode::bug, fmt::format("a table row has {} cells for {} columns", cells.size(),
                                            columns_.size()));
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::to_text() const {
  std::vector<std::string> header;
  std::vector<std::size_t> widths;
  for (const TextColumn& column : columns_) {
    header.push_back(column.header);
    widths.push_back(width_of(column.header));
  }
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string out;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - width_of(cells[c]), ' ');
      if (c > 0) line += "  ";
      line += columns_[c].align == Align::left ? cells[c] + padding : padding + cells[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line(header);
  for (const auto& row : rows_) add_line(row);
  return out;
}

std::string TextTable::to_csv() const {
  std::vector<std::string> header;
  for (const TextColumn& column : columns_) header.push_back(column.header);
  std::string out = csv_line(header);
  for (const auto& row : rows_) out += csv_line(row);
  return out;
}

std::string csv_line(std::span<const std::string> cells) {
  // A lone empty cell would be an empty line, which readers skip.
  if (cells.size() == 1 && cells[0].empty()) return "\"\"\n";
  std::string out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) out += ',';
    out += csv_cell(cells[c]);
  }
  return out + '\n';
}

}  // namespace reducelab
