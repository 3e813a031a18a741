#include "core/files.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/error.h"

namespace reducelab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// A directory of its own for each test, gone afterwards.
class Files : public testing::Test {
 protected:
  Files() {
    std::string name = testing::TempDir() + "reducelab-files-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    directory_ = name;
  }
  ~Files() override { fs::remove_all(directory_); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      all.push_back(entry.path().filename());
    }
    return all;
  }

  fs::path directory_;
};

template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

TEST_F(Files, WhatWasWrittenIsReadBackByteForByte) {
  std::string content("a\0b\r\n\xff", 6);
  content.append(1'000'000, 'x');
  write_file_atomically(directory_ / "out", content);
  EXPECT_EQ(read_text_file(directory_ / "out"), content);
  write_file_atomically(directory_ / "out", "");
  EXPECT_EQ(read_text_file(directory_ / "out"), "");
  EXPECT_THAT(names(), ElementsAre("out"));
}

TEST_F(Files, ReadingNamesThePathAndTheReason) {
  const fs::path missing = directory_ / "missing";
  EXPECT_EQ(complaint([&] { read_text_file(missing); }),
            "cannot open " + missing.string() + ": No such file or directory");
  EXPECT_EQ(complaint([&] { read_text_file(directory_); }),
            directory_.string() + " is a directory, not a file");
  // Opens, but page 0 of a process is never there to be read.
  EXPECT_THAT(complaint([] { read_text_file("/proc/self/mem"); }),
              HasSubstr("cannot read /proc/self/mem: "));
}

TEST_F(Files, AWriteThatFailsHalfwayLeavesTheOldFileAndNothingElse) {
  const fs::path path = directory_ / "result.json";
  write_file_atomically(path, "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said =
      complaint([&] { write_file_atomically(path, std::string(100'000, 'x')); });
  const std::string said_of_new =
      complaint([&] { write_file_atomically(directory_ / "new", std::string(100'000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, "cannot write " + path.string() + ": File too large");
  EXPECT_THAT(said_of_new, HasSubstr("File too large"));
  EXPECT_EQ(read_text_file(path), "old");
  EXPECT_THAT(names(), ElementsAre("result.json"));
}

TEST_F(Files, AWriteThatCannotBeginLeavesNothing) {
  EXPECT_THAT(complaint([&] { write_file_atomically(directory_ / "no" / "out", "x"); }),
              HasSubstr("no/out: No such file or directory"));
  fs::create_directory(directory_ / "taken");
  EXPECT_THAT(complaint([&] { write_file_atomically(directory_ / "taken", "x"); }),
              HasSubstr("Is a directory"));
  EXPECT_THAT(names(), ElementsAre("taken"));
  EXPECT_THAT(complaint([] { write_file_atomically("/dev/full", "x"); }),
              HasSubstr("cannot write /dev/full: No space left on device"));
}

TEST_F(Files, AReplacedFileKeepsItsPermissionsAndANewOneFollowsTheUmask) {
  const auto mode = [](const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  };
  write_file_atomically(directory_ / "private", "x");
  fs::permissions(directory_ / "private", fs::perms{0600});
  write_file_atomically(directory_ / "private", "y");
  EXPECT_EQ(mode(directory_ / "private"), 0600u);
  const mode_t before = ::umask(027);
  write_file_atomically(directory_ / "new", "x");
  ::umask(before);
  EXPECT_EQ(mode(directory_ / "new"), 0640u);
}

TEST_F(Files, AWriteThroughASymbolicLinkReplacesTheFileBehindIt) {
  fs::create_directory(directory_ / "real");
  write_file_atomically(directory_ / "real" / "file", "old");
  fs::create_symlink(directory_ / "real" / "file", directory_ / "link");
  write_file_atomically(directory_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(read_text_file(directory_ / "real" / "file"), "new");
}

TEST_F(Files, WritersAtTheSameTimeLeaveOneWholeContent) {
  const fs::path path = directory_ / "shared";
  std::vector<std::jthread> writers;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    writers.emplace_back([&path, letter] {
      for (int i = 0; i < 5; ++i) write_file_atomically(path, std::string(20'000, letter));
    });
  }
  writers.clear();
  const std::string content = read_text_file(path);
  EXPECT_EQ(content, std::string(20'000, content.at(0)));
  EXPECT_THAT(names(), ElementsAre("shared"));
}

}  // namespace
}  // namespace reducelab
