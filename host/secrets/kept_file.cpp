// SPDX-License-Identifier: Apache-2.0
#include "secrets/kept_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

bool is_unfit(char c) noexcept { return c < 0x20 || c >= 0x7f; }  // whether char has a sign or not

}  // namespace

Result<KeptFile> KeptFile::read(int fd) {
  auto bytes = secret::SecretBytes::with_capacity(kKeptBytesMax + 1);
  while (bytes.room() > 0) {
    // From its start whoever read it before: the offset is shared with every copy of the descriptor.
    const auto at = static_cast<off_t>(bytes.size());
    const auto got = posix::retry([&] { return ::pread(fd, bytes.free_space(), bytes.room(), at); });
    if (got < 0) return posix::os_fail(Code::Gone, "read", {}, errno);
    if (got == 0) break;
    bytes.commit(static_cast<std::size_t>(got));
  }
  if (bytes.room() == 0) return fail(Code::Limit, "is larger than what may be kept with a value");
  const auto about_size = bytes.reveal().find('\n');
  if (about_size == std::string_view::npos || about_size == 0) return fail(Code::Invalid, "is not one line with a value behind it");
  KeptFile kept(std::move(bytes), about_size);
  const auto value = kept.value();
  if (value.empty() || value.size() > secret::kValueBytesMax || std::any_of(value.begin(), value.end(), is_unfit))
    return fail(Code::Invalid, "has no value behind its first line, or one with a control character or a byte beyond ASCII");
  return kept;
}

Result<secret::SecretBytes> kept_text(std::string_view canonical_about, std::string_view value) {
  auto text = secret::SecretBytes::with_capacity(kKeptBytesMax);
  if (text.append(canonical_about) && text.append("\n") && text.append(value)) return text;
  return fail(Code::Limit, "a value and its first line are larger than what may be kept");
}

}  // namespace lnk::host
