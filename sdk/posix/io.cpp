// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/io.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "lnk/posix/os_error.hpp"

namespace lnk::posix {

namespace {

// What one read asks for at first and at most. Every page asked for is one to be cleared, and most files are small.
constexpr std::size_t kFirstStep = 4 * 1024;
constexpr std::size_t kReadStep = 64 * 1024;  // the size of a pipe

/// A name for the new file beside its goal: hidden, and not to be guessed by who shares the folder.
std::string name_beside(const std::filesystem::path& path) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::array<std::uint8_t, 8> random{};
  // Never fails or waits for so few bytes once the machine has started (getrandom(2)); O_EXCL holds in any case.
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) std::abort();
  std::string name = "." + path.filename().string() + ".";
  for (const std::uint8_t byte : random) {
    name += kHex[byte >> 4U];
    name += kHex[byte & 0x0FU];
  }
  return name;
}

Status fill_and_rename(int folder, int file, const std::string& temporary, const std::filesystem::path& path,
                       std::string_view content, mode_t mode) {
  LNK_CHECK(write_all(file, content));
  if (::fchmod(file, mode) != 0) return os_fail(Code::Internal, "set the mode of", path.native(), errno);
  if (retry([&] { return ::fsync(file); }) != 0) return os_fail(Code::Internal, "flush", path.native(), errno);
  if (::renameat(folder, temporary.c_str(), folder, path.filename().c_str()) != 0)
    return os_fail(Code::Internal, "rename over", path.native(), errno);
  return {};
}

}  // namespace

Result<std::size_t> read_some(int fd, char* to, std::size_t size) {
  const ssize_t count = retry([&] { return ::read(fd, to, size); });
  if (count < 0) return os_fail(errno == EAGAIN ? Code::Again : Code::Internal, "read", {}, errno);
  return static_cast<std::size_t>(count);
}

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = retry([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (count < 0) return os_fail(Code::Internal, "write", {}, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<std::string> read_all(int fd, std::size_t bytes_max) {
  std::string all;
  for (;;) {
    const std::size_t have = all.size();
    // One byte more than is allowed is asked for, so that a content of just the limit is told from a longer one.
    const std::size_t ask = std::min(std::clamp(have, kFirstStep, kReadStep), bytes_max - have + 1);
    all.resize(have + ask);
    LNK_TRY(const std::size_t count, read_some(fd, all.data() + have, ask));
    all.resize(have + count);
    if (count == 0) return all;
    if (all.size() > bytes_max) return fail(Code::Limit, "more than " + std::to_string(bytes_max) + " bytes");
  }
}

Result<UniqueFd> open_file(const std::filesystem::path& path, int flags, mode_t mode) {
  const int fd = retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  if (fd < 0) return os_fail(Code::Gone, "open", path.native(), errno);
  return UniqueFd(fd);
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t bytes_max) {
  // O_NONBLOCK: a FIFO in the file's place must not hold the caller.
  LNK_TRY(const UniqueFd file, open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return os_fail(Code::Internal, "stat", path.native(), errno);
  if (!S_ISREG(status.st_mode)) return fail(Code::Invalid, "'" + escaped(path.native()) + "' is no regular file");
  auto content = read_all(file.get(), bytes_max);
  if (!content) return fail(std::move(content).error().within("read '" + escaped(path.native()) + "'"));
  return content;
}

Status write_file_whole(const std::filesystem::path& path, std::string_view content, mode_t mode) {
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  LNK_TRY(const UniqueFd folder, open_file(parent, O_RDONLY | O_DIRECTORY));
  const std::string temporary = name_beside(path);
  const UniqueFd file(retry([&] {
    return ::openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  }));
  if (!file.is_open()) return os_fail(Code::Internal, "make a file beside", path.native(), errno);
  auto done = fill_and_rename(folder.get(), file.get(), temporary, path, content, mode);
  if (!done) {
    (void)::unlinkat(folder.get(), temporary.c_str(), 0);
    return done;
  }
  if (retry([&] { return ::fsync(folder.get()); }) != 0)
    return os_fail(Code::Internal, "flush the folder of", path.native(), errno);
  return {};
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os_fail(Code::Limit, "pipe", {}, errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool is_there(const std::string& path) noexcept {
  struct stat entry {};
  return ::lstat(path.c_str(), &entry) == 0;
}

}  // namespace lnk::posix
