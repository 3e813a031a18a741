#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace reducelab {

/// The candidate nearest to `word` by edit distance, or "" if none is near enough to be meant.
std::string_view nearest_name(std::string_view word,
                              const std::vector<std::string_view>& candidates);

/// The usage Error `unknown <kind> "<word>"; did you mean "<nearest>"?` with the valid names as a
/// note.
Error unknown_name(std::string_view kind, std::string_view word,
                   const std::vector<std::string_view>& candidates, SourceLocation where = {});

/// Cuts `text` at every `separator`; an empty text gives no parts.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Without leading and trailing blanks.
std::string_view trim(std::string_view text);

}  // namespace reducelab
