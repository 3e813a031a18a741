#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace reducelab {

/// What a finished process left.
struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal if it was killed
  std::string out;
  std::string err;

  /// Standard output as JSON; anything else fails the test.
  nlohmann::json json() const;
};

/// Runs the reducelab binary with `arguments` and `input` on standard input.
ProcessResult reducelab(const std::vector<std::string>& arguments, const std::string& input = {});

/// Runs a shell command line in which `$REDUCELAB` is the binary.
ProcessResult shell(const std::string& command);

/// A directory of its own that is gone at the end of the test.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  /// How many files and directories it holds.
  std::size_t entries() const;

 private:
  std::filesystem::path path_;
};

}  // namespace reducelab
