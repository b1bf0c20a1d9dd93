// SPDX-License-Identifier: Apache-2.0
//
// How one secret, or one hosted model's key, is kept: a file that says on its first line, in canonical JSON, where the value may
// go (a secret's rule; a key's provider and host), with the value behind that, to the end. One file, which one rename replaces:
// whoever holds its descriptor holds a value and where it was added for, whatever is added or removed by then.
#pragma once

#include <cstddef>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/placeholder.hpp"
#include "lnk/secret/rule.hpp"
#include "lnk/secret/secret_bytes.hpp"

namespace lnk::host {

inline constexpr std::size_t kKeptBytesMax = secret::kRuleBytesMax + 1 + secret::kValueBytesMax;

class KeptFile {
 public:
  /// Reads it from its start. errors: Invalid where it is not of this form; Gone, Limit; os_errno
  [[nodiscard]] static Result<KeptFile> read(int fd);

  [[nodiscard]] std::string_view about() const noexcept { return bytes_.reveal().substr(0, about_size_); }
  [[nodiscard]] std::string_view value() const noexcept { return bytes_.reveal().substr(about_size_ + 1); }

 private:
  KeptFile(secret::SecretBytes bytes, std::size_t about_size) noexcept : bytes_(std::move(bytes)), about_size_(about_size) {}

  secret::SecretBytes bytes_;
  std::size_t about_size_;
};

/// What `KeptFile::read` reads. Canonical JSON has no end of line in it (RFC 8259, 7: control characters are escaped).
/// errors: Limit
[[nodiscard]] Result<secret::SecretBytes> kept_text(std::string_view canonical_about, std::string_view value);

}  // namespace lnk::host
