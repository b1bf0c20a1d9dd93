// SPDX-License-Identifier: Apache-2.0
#include "launch/streams.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>

#include "inside/format.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

// What stands at the first numbers is the child's own.
constexpr int kFirstFreeFd = 3;
/// As the host reads it: some 100,000 mounts.
constexpr std::size_t kMountinfoBytesMax = 16U << 20U;

Result<UniqueFd> duplicate(int fd, std::size_t number) {
  UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd));
  if (!copy.is_open()) return posix::os_fail(Code::Invalid, "duplicate stream " + std::to_string(number), {}, errno);
  return copy;
}

/// Whether a stream must be held to reading by a mount of its own. What was opened for writing was given so. A file without
/// a name (a shell's here-document, memory) can't be mounted and passes as it is: it can still be written through its
/// descriptor, which changes nothing that anyone can come upon later; only who has it open already sees it.
bool is_given_to_read(int fd, const struct stat& held) {
  return S_ISREG(held.st_mode) && held.st_nlink > 0 && (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
}

/// bubblewrap mounts a descriptor by the name that /proc tells of it, and then looks whether it was the same file.
Status check_name(int fd, const struct stat& held, std::size_t number) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  std::array<char, PATH_MAX> name{};
  const ssize_t size = ::readlink(link.c_str(), name.data(), name.size() - 1);
  struct stat named {};
  const bool is_named = size > 0 && ::stat(name.data(), &named) == 0;
  if (is_named && named.st_dev == held.st_dev && named.st_ino == held.st_ino) return {};
  return fail(Code::Denied, "stream " + std::to_string(number) +
                                " is a file that can't be reached by its name, and so can't be held to reading; give it through a "
                                "pipe, as in: cat FILE | lnk-sandbox …");
}

/// Whether a file is of a mount that this process sees. Of what the kernel keeps mounted for itself alone, as it does for
/// memory files, Landlock refuses nothing (landlock(7), "Special filesystems").
Result<bool> is_of_a_mount(int fd) {
  struct statx held {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &held) != 0 || (held.stx_mask & STATX_MNT_ID) == 0) return false;
  LNK_TRY(const UniqueFd file, posix::open_file("/proc/self/mountinfo", O_RDONLY));
  LNK_TRY(const std::string mounts, posix::read_all(file.get(), kMountinfoBytesMax));
  const std::string number = std::to_string(held.stx_mnt_id) + " ";
  return mounts.starts_with(number) || mounts.find("\n" + number) != std::string::npos;
}

/// What is handed in could be filled with a program inside, and run by its descriptor.
Status check_that_it_never_runs(int fd, const struct stat& held, std::size_t number) {
  constexpr int kSealedAgainstExec = 0x0020;  // F_SEAL_EXEC, Linux 6.3
  if (!S_ISREG(held.st_mode) || held.st_nlink > 0) return {};
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals >= 0 && (seals & kSealedAgainstExec) != 0 && (held.st_mode & 0111U) == 0) return {};
  LNK_TRY(const bool is_held, is_of_a_mount(fd));
  if (is_held) return {};
  return fail(Code::Denied, "stream " + std::to_string(number) +
                                " is a memory file, which the program could fill with another and run, beside [commands]; give it a "
                                "pipe or a file, or one made with MFD_NOEXEC_SEAL");
}

}  // namespace

Result<std::array<Stream, 3>> copy_streams(const std::array<int, 3>& stdio, bool are_programs_listed) {
  std::array<Stream, 3> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    LNK_TRY(out[i].fd, duplicate(stdio[i], i));
    struct stat held {};
    if (::fstat(out[i].fd.get(), &held) != 0)
      return posix::os_fail(Code::Invalid, "look at stream " + std::to_string(i), {}, errno);
    if (are_programs_listed) LNK_CHECK(check_that_it_never_runs(out[i].fd.get(), held, i));
    if (!is_given_to_read(out[i].fd.get(), held)) continue;
    LNK_CHECK(check_name(out[i].fd.get(), held, i));
    LNK_TRY(out[i].mounted, duplicate(stdio[i], i));
  }
  return out;
}

std::string stream_options(const std::array<Stream, 3>& streams) {
  std::string options;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!streams[i].mounted.is_open()) continue;
    options += std::string("--ro-bind-fd") + '\0' + std::to_string(streams[i].mounted.get()) + '\0';
    options += LNK_INSIDE_STREAM_PATH + std::to_string(i) + '\0';
  }
  return options;
}

}  // namespace lnk::os_linux
