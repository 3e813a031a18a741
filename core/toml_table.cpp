#include "core/toml_table.h"

#include <toml++/toml.h>

#include <algorithm>

namespace reducelab {

struct TomlTable::Source {
  std::shared_ptr<const toml::table> document;
  const toml::table* table;  // within the document
  std::string file;

  SourceLocation at(const toml::source_position& position) const {
    return {file, static_cast<int>(position.line), static_cast<int>(position.column)};
  }
  SourceLocation at(const toml::node& node) const { return at(node.source().begin); }
  std::shared_ptr<const Source> inner(const toml::node& node) const {
    return std::make_shared<Source>(Source{document, node.as_table(), file});
  }
};

TomlTable TomlTable::parse(std::string_view text, const std::string& file) {
  try {
    auto document = std::make_shared<const toml::table>(toml::parse(text, file));
    const toml::table* root = document.get();
    return TomlTable(std::make_shared<Source>(Source{std::move(document), root, file}));
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    throw Error(ErrorCode::usage, std::string(error.description()),
                {file, static_cast<int>(begin.line), static_cast<int>(begin.column)});
  }
}

void TomlTable::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, value] : *source_->table) {
    if (std::ranges::find(keys, key.str()) != keys.end()) continue;
    throw unknown_name("key", key.str(), keys, source_->at(key.source().begin));
  }
}

bool TomlTable::has(std::string_view key) const {
  return source_->table->contains(key);
}

SourceLocation TomlTable::where() const {
  return source_->at(*source_->table);
}

SourceLocation TomlTable::where(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  return node == nullptr ? where() : source_->at(*node);
}

SourceLocation TomlTable::where_key(std::string_view key) const {
  const auto entry = source_->table->find(key);
  return entry == source_->table->end() ? where() : source_->at(entry->first.source().begin);
}

Error TomlTable::bad(std::string_view key, std::string_view why) const {
  return {ErrorCode::usage, fmt::format("{} {}", key, why), where(key)};
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> found;
  for (const auto& [key, value] : *source_->table) found.emplace_back(key.str());
  return found;
}

std::string TomlTable::text(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) {
    throw Error(ErrorCode::usage, fmt::format("key \"{}\" is missing here", key), where());
  }
  if (const auto value = node->value_exact<std::string>()) return *value;
  throw bad(key, "must be a text in quotes, a quantity with its unit (\"400Gbps\", \"1.5us\")");
}

std::optional<std::string> TomlTable::optional_text(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return text(key);
}

std::optional<long long> TomlTable::optional_whole(std::string_view key, long long least,
                                                   long long most) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (!value) throw bad(key, "must be a whole number");
  if (*value < least || *value > most) {
    throw bad(key, fmt::format("must be between {} and {}, not {}", least, most, *value));
  }
  return *value;
}

std::optional<double> TomlTable::optional_number(std::string_view key, double least,
                                                 double most) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value<double>();
  if (!value || !node->is_number()) throw bad(key, "must be a number");
  if (!(*value >= least && *value <= most)) {
    throw bad(key, fmt::format("must be {} to {}", least, most));
  }
  return *value;
}

std::optional<bool> TomlTable::optional_flag(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<bool>();
  if (!value) throw bad(key, "must be true or false");
  return *value;
}

std::vector<Placed<std::string>> TomlTable::texts(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr || node->is_string()) return {{text(key), where(key)}};
  const toml::array* array = node->as_array();
  if (array == nullptr) throw bad(key, "must be a text or an array of texts");
  std::vector<Placed<std::string>> found;
  for (const toml::node& element : *array) {
    const auto value = element.value_exact<std::string>();
    if (!value) {
      throw Error(ErrorCode::usage, fmt::format("{} must hold texts only", key),
                  source_->at(element));
    }
    found.push_back({*value, source_->at(element)});
  }
  return found;
}

std::vector<Placed<long long>> TomlTable::whole_numbers(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  if (array == nullptr) throw bad(key, "must be an array of whole numbers");
  std::vector<Placed<long long>> found;
  for (const toml::node& element : *array) {
    const auto value = element.value_exact<std::int64_t>();
    if (!value) {
      throw Error(ErrorCode::usage, fmt::format("{} must hold whole numbers only", key),
                  source_->at(element));
    }
    found.push_back({*value, source_->at(element)});
  }
  return found;
}

std::string TomlTable::as_argument(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node != nullptr) {
    if (const auto value = node->value_exact<std::string>()) return *value;
    if (const auto value = node->value_exact<std::int64_t>()) return fmt::format("{}", *value);
    if (const auto value = node->value_exact<double>()) return fmt::format("{}", *value);
    if (const auto value = node->value_exact<bool>()) return *value ? "true" : "false";
    if (node->is_array()) {
      std::vector<long long> numbers;
      for (const auto& number : whole_numbers(key)) numbers.push_back(number.value);
      return fmt::format("{}", fmt::join(numbers, "x"));
    }
  }
  throw bad(key, "must be a text, a number, true or false");
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) return {};
  std::vector<TomlTable> found;
  const toml::array* array = node->as_array();
  if (array == nullptr) throw bad(key, fmt::format("must be written as [[{}]] tables", key));
  for (const toml::node& element : *array) {
    if (!element.is_table()) throw bad(key, fmt::format("must be written as [[{}]] tables", key));
    found.push_back(TomlTable(source_->inner(element)));
  }
  return found;
}

std::optional<TomlTable> TomlTable::optional_table(std::string_view key) const {
  const toml::node* node = source_->table->get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) throw bad(key, fmt::format("must be written as a [{}] table", key));
  return TomlTable(source_->inner(*node));
}

}  // namespace reducelab
