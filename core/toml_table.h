#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace reducelab {

/// A value with its place in the file.
template <class T>
struct Placed {
  T value;
  SourceLocation where;
};

/// A TOML table that reads typed values; each fault is a usage Error with file:line:col. Cheap to
/// copy: a table keeps its document alive.
class TomlTable {
 public:
  /// The root table of a document.
  static TomlTable parse(std::string_view text, const std::string& file);

  /// Refuses any other key, with "did you mean".
  void allow_only(std::initializer_list<std::string_view> keys) const;

  bool has(std::string_view key) const;
  SourceLocation where() const;
  /// The place of the value of a key, or of this table if it has no such key.
  SourceLocation where(std::string_view key) const;
  SourceLocation where_key(std::string_view key) const;
  /// The Error "<key> <why>" in the place of the value.
  Error bad(std::string_view key, std::string_view why) const;

  std::vector<std::string> keys() const;
  /// The value of a key that must be there.
  std::string text(std::string_view key) const;
  std::optional<std::string> optional_text(std::string_view key) const;
  std::optional<long long> optional_whole(std::string_view key, long long least,
                                          long long most) const;
  std::optional<double> optional_number(std::string_view key, double least, double most) const;
  std::optional<bool> optional_flag(std::string_view key) const;
  /// A text, or an array of texts.
  std::vector<Placed<std::string>> texts(std::string_view key) const;
  std::vector<Placed<long long>> whole_numbers(std::string_view key) const;
  /// Any text, number or flag as it would stand on a command line; whole numbers of an array are
  /// joined by `x`.
  std::string as_argument(std::string_view key) const;
  /// The tables of `[[key]]`; none if absent.
  std::vector<TomlTable> tables(std::string_view key) const;
  /// The table `[key]`.
  std::optional<TomlTable> optional_table(std::string_view key) const;

  /// The value of a text key as `read` understands it; an Error of `read` gets this place.
  template <class Read>
  auto parsed(std::string_view key, Read read) const {
    const std::string value = text(key);
    try {
      return read(value);
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), where(key));
    }
  }

  /// The enumerator whose `name_of` is the text of `key`.
  template <class Enum>
  Enum one_of(std::string_view key, std::span<const Enum> values) const {
    const std::string value = text(key);
    std::vector<std::string_view> names;
    for (const Enum candidate : values) {
      if (name_of(candidate) == value) return candidate;
      names.push_back(name_of(candidate));
    }
    throw unknown_name(key, value, names, where(key));
  }

 private:
  struct Source;
  explicit TomlTable(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

  std::shared_ptr<const Source> source_;
};

}  // namespace reducelab
