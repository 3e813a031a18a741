#pragma once

#include <string>
#include <string_view>

namespace reducelab {

/// The text as a basic string of TOML, with its quotes.
std::string toml_quoted(std::string_view text);

}  // namespace reducelab
