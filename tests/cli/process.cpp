#include "process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

extern char** environ;

namespace reducelab {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Through files rather than pipes: nothing can block, whatever a process writes or leaves unread.
ProcessResult run_program(const std::string& program, std::vector<std::string> words,
                          const std::string& input) {
  const ScratchDirectory scratch;
  const std::string in = scratch.file("in", input);
  const std::string out = scratch.file("out", "");
  const std::string err = scratch.file("err", "");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY, 0);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  const int failure =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ProcessResult result;
  if (failure != 0) {
    ADD_FAILURE() << "cannot start " << program << ": error " << failure;
    return result;
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

}  // namespace

nlohmann::json ProcessResult::json() const {
  auto parsed = nlohmann::json::parse(out, nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << "not JSON:\n" << out << "\nstderr:\n" << err;
  return parsed;
}

ProcessResult reducelab(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{REDUCELAB};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(REDUCELAB, std::move(words), input);
}

ProcessResult shell(const std::string& command) {
  ::setenv("REDUCELAB", REDUCELAB, 1);
  return run_program("/bin/sh", {"sh", "-c", command}, "");
}

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "reducelab-cli-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "cannot make " << pattern;
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDirectory::file(const std::string& name, const std::string& content) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

std::size_t ScratchDirectory::entries() const {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
  return count;
}

}  // namespace reducelab
