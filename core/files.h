#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace reducelab {

/// Reads a whole file; a missing, unreadable or directory path is a usage Error naming the path.
std::string read_text_file(const std::filesystem::path& path);

/// Writes a whole file or nothing: to a neighbour, fsync, rename. A failure is an Error and leaves
/// what was there before.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace reducelab
