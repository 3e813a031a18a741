#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace reducelab {
namespace fs = std::filesystem;
namespace {

Error file_error(std::string_view verb, const fs::path& path, int error) {
  return usage_error("cannot {} {}: {}", verb, path.string(), std::strerror(error));
}

/// Owns a file descriptor; -1 means none.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() { close(); }

  int number() const { return number_; }
  /// 0, or the errno of a close that failed (where a network file system reports a full disk).
  int close() {
    if (number_ < 0) return 0;
    return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno;
  }

 private:
  int number_;
};

/// Removes a file at the end of the scope unless told to keep it.
class TemporaryName {
 public:
  explicit TemporaryName(std::string name) : name_(std::move(name)) {}
  TemporaryName(TemporaryName&&) = delete;
  ~TemporaryName() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  void keep() { name_.clear(); }

 private:
  std::string name_;
};

/// 0, or the errno that stopped it.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(file, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

/// Writes into a device or a pipe (/dev/stdout), which can only be written to, not replaced.
void write_in_place(const fs::path& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) throw file_error("write", path, errno);
  if (const int error = write_all(file.number(), content)) throw file_error("write", path, error);
}

/// A new file beside `target` that nobody else writes, even another thread or process of ours.
std::pair<Descriptor, std::string> create_neighbour(const fs::path& target, const fs::path& path) {
  static std::atomic<unsigned> next = 0;
  for (;;) {
    std::string name = fmt::format("{}.{}-{}.tmp", target.string(), ::getpid(), next++);
    Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.number() >= 0) return {std::move(file), std::move(name)};
    if (errno != EEXIST) throw file_error("write", path, errno);
  }
}

}  // namespace

std::string read_text_file(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) throw file_error("open", path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw usage_error("{} is a directory, not a file", path.string());
  }
  std::string content;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw file_error("read", path, errno);
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  std::error_code code;
  // The file behind a symbolic link is replaced, not the link.
  fs::path target = fs::canonical(path, code);
  if (code) target = path;
  struct stat before {};
  const bool existed = ::stat(target.c_str(), &before) == 0;
  if (existed && S_ISDIR(before.st_mode)) throw file_error("write", path, EISDIR);
  if (existed && !S_ISREG(before.st_mode)) return write_in_place(path, content);

  auto [file, name] = create_neighbour(target, path);
  TemporaryName neighbour(name);
  int error = write_all(file.number(), content);
  if (error == 0 && existed && ::fchmod(file.number(), before.st_mode & 07777) != 0) error = errno;
  if (error == 0 && ::fsync(file.number()) != 0) error = errno;
  if (const int close_error = file.close(); error == 0) error = close_error;
  if (error == 0 && ::rename(name.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) throw file_error("write", path, error);
  neighbour.keep();
}

}  // namespace reducelab
