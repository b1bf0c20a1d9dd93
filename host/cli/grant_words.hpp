// SPDX-License-Identifier: Apache-2.0
//
// What a spec opens, and what of it is new since it was approved, in words for who approves it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/prepare.hpp"

namespace lnk::host {

/// What grants open, in words, a line each.
[[nodiscard]] std::vector<std::string> in_words(const Grants& grants);
/// The same of a spec's, with what stays closed or read only in them.
[[nodiscard]] std::vector<std::string> in_words(const Prepared& prepared);

/// A spec's grants against those of it that were approved last, in words.
struct Changes {
  std::vector<std::string> opens;  ///< what is new
  std::vector<std::string> gone;
  [[nodiscard]] std::string text(std::string_view indent) const;
};
/// Nothing where none were approved, or these are.
[[nodiscard]] Result<std::optional<Changes>> changes_since_approval(const Context& context, const Prepared& prepared);

}  // namespace lnk::host
