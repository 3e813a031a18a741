#pragma once

#include <string_view>

namespace reducelab {

/// True if `name` matches `pattern`, in which `*` stands for any text and `?` for one character.
bool matches_glob(std::string_view pattern, std::string_view name);

}  // namespace reducelab
