// SPDX-License-Identifier: Apache-2.0
//
// The secrets kept in the settings: for each a rule and a value, in one file. The value is read here only to be checked
// and to make a placeholder; the wire reads it for itself, from the descriptor that the rule was read from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "lnk/secret/rule.hpp"
#include "lnk/secret/secret_bytes.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

struct KeptSecret {
  std::string name;
  secret::Rule rule;
  std::string rule_json;    ///< canonical
  UniqueFd file;            ///< of the rule and of the value that was added with it
  std::string placeholder;  ///< fresh: of one run
};

/// errors: Invalid: the rule or the value can't hold, in words without the value
[[nodiscard]] Status add_secret(const Settings& settings, std::string_view name, std::string_view rule_json,
                                const secret::SecretBytes& value);

/// errors: Gone: none of that name is kept; Invalid: what is kept is not whole; both with how to add it
[[nodiscard]] Result<KeptSecret> load_secret(const Settings& settings, std::string_view name);

[[nodiscard]] Result<std::vector<std::string>> list_secrets(const Settings& settings);

/// False where none of that name was kept.
[[nodiscard]] Result<bool> remove_secret(const Settings& settings, std::string_view name);

/// 32 random bytes as base64url: 43 characters.
[[nodiscard]] std::string random_name();

}  // namespace lnk::host
