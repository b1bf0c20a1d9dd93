// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing whole things. Calls that a signal interrupts are made again.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::posix {

/// Calls again while a signal interrupts: `retry([&] { return ::read(fd, p, n); })`.
template <class Call>
auto retry(Call call) noexcept(noexcept(call())) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

/// One read(2). 0 is the end. errors: Again on EAGAIN, else Internal; os_errno.
[[nodiscard]] Result<std::size_t> read_some(int fd, char* to, std::size_t size);

/// Writes all of it to a blocking descriptor. errors: Internal; os_errno.
[[nodiscard]] Status write_all(int fd, std::string_view bytes);

/// Reads to the end. errors: Limit where more than `bytes_max` comes; Internal; os_errno.
[[nodiscard]] Result<std::string> read_all(int fd, std::size_t bytes_max);

/// open(2) with O_CLOEXEC. errors: Gone; os_errno.
[[nodiscard]] Result<UniqueFd> open_file(const std::filesystem::path& path, int flags, mode_t mode = 0);

/// A regular file's content; a last part that is a link is refused. errors: Gone, Invalid (no regular file), Limit.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::size_t bytes_max);

/// Writes a new file beside `path`, flushes it and renames it over: a reader sees the old content or the new, whole.
/// Its mode is `mode` whatever the umask.
[[nodiscard]] Status write_file_whole(const std::filesystem::path& path, std::string_view content, mode_t mode = 0600);

/// pipe2 with O_CLOEXEC.
struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
[[nodiscard]] Result<Pipe> make_pipe();

/// Whether anything stands at this name, a link itself. False too where it can't be looked at.
[[nodiscard]] bool is_there(const std::string& path) noexcept;

}  // namespace lnk::posix
