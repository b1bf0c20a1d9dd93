// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/handles.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

/// Only the person may read it; what others could write is no secret of hers.
Result<void> check_file(int fd) {
  struct stat about {};
  if (::fstat(fd, &about) != 0) return fail(Code::Gone, "can't be looked at", errno);
  if (!S_ISREG(about.st_mode)) return fail(Code::Invalid, "is no plain file");
  if (about.st_uid != ::geteuid() || (about.st_mode & 077U) != 0) {
    return fail(Code::Denied, "may be read or changed by others; it must be yours, with mode 0600");
  }
  return {};
}

Result<secret::SecretBytes> read_value(int fd) {
  auto value = secret::SecretBytes::with_capacity(kHandleBytesMax + 1);
  while (value.room() != 0) {
    const ssize_t got = ::read(fd, value.free_space(), value.room());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::Gone, "can't be read", errno);
    if (got == 0) break;
    value.commit(static_cast<std::size_t>(got));
  }
  if (value.empty() || value.room() == 0) return fail(Code::Invalid, "is empty or over 4096 bytes");
  const auto bytes = value.reveal();
  if (std::any_of(bytes.begin(), bytes.end(), [](char c) { return c < 0x20 || c == 0x7f; })) {
    return fail(Code::Invalid, "has a control character or a byte beyond ASCII");
  }
  return value;
}

}  // namespace

Result<void> HandleStore::load(const std::string& handle, const std::string& file) {
  const auto where = "the value of " + handle + " (" + file + ")";
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.is_open()) return fail(Code::Gone, where + " can't be opened", errno);
  if (auto checked = check_file(fd.get()); !checked) return fail(std::move(checked).error().within(where));
  auto value = read_value(fd.get());
  if (!value) return fail(std::move(value).error().within(where));
  put(handle, std::move(value).value());
  return {};
}

void HandleStore::put(const std::string& handle, secret::SecretBytes value) {
  values_.insert_or_assign(handle, std::move(value));
}

const secret::SecretBytes* HandleStore::find(std::string_view handle) const noexcept {
  const auto found = values_.find(handle);
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace lnk::host
