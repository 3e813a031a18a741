#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reducelab {

/// A number and half a unit of its last printed digit: what rounding may have hidden.
struct PrintedNumber {
  double value = 0;
  double half_ulp = 0;
};

/// Removes the labels that launchers put before (or into the middle of) a line: Open MPI and PRRTE
/// `[1,0]<stdout>:` with or without a date, `srun -l` `0: `, `[0] `, and `host: ` before a `#` or
/// a digit.
std::string without_launcher_prefixes(std::string_view line);

/// The words of a line; at most `limit`.
std::vector<std::string_view> words(std::string_view line, std::size_t limit = 64);

/// A finite decimal number that fills the whole word, whatever the locale.
std::optional<PrintedNumber> parse_printed(std::string_view word);
/// A whole number that fills the word and fits 63 bits.
std::optional<std::int64_t> parse_integer(std::string_view word);

/// At most 160 printable ASCII characters of a line, so that a message can quote any file.
std::string quoted(std::string_view line);

}  // namespace reducelab
