// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/handles.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "secrets/kept_file.hpp"

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

}  // namespace

Result<void> HandleStore::load(const std::string& handle, int fd) {
  const auto where = "the value of " + handle;
  if (auto checked = check_file(fd); !checked) return fail(std::move(checked).error().within(where));
  auto kept = KeptFile::read(fd);
  if (!kept) return fail(std::move(kept).error().within(where));
  put(handle, secret::SecretBytes(kept->value()));
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
