// SPDX-License-Identifier: Apache-2.0
//
// How one secret is kept: a file with its rule on the first line, canonical JSON, and its value behind that, to the end.
// One file, which one rename replaces: whoever holds its descriptor holds a value and the rule it was added with,
// whatever is added or removed by then.
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

  [[nodiscard]] std::string_view rule() const noexcept { return bytes_.reveal().substr(0, rule_size_); }
  [[nodiscard]] std::string_view value() const noexcept { return bytes_.reveal().substr(rule_size_ + 1); }

 private:
  KeptFile(secret::SecretBytes bytes, std::size_t rule_size) noexcept : bytes_(std::move(bytes)), rule_size_(rule_size) {}

  secret::SecretBytes bytes_;
  std::size_t rule_size_;
};

/// What `KeptFile::read` reads. Canonical JSON has no end of line in it (RFC 8259, 7: control characters are escaped).
/// errors: Limit
[[nodiscard]] Result<secret::SecretBytes> kept_text(std::string_view canonical_rule, std::string_view value);

}  // namespace lnk::host
