// SPDX-License-Identifier: Apache-2.0
//
// The keys of hosted models kept in the settings: for each provider one, with the host it goes to, in one file. A key's value is
// read here only to be checked; the wire reads it for itself, from the descriptor that the host was read from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "lnk/secret/secret_bytes.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

struct KeptKey {
  std::string provider;
  std::string host;
  UniqueFd file;  ///< of the host and of the value that was added with it
};

/// errors: Invalid: the host is none of the provider's, or the value can't be a key; in words without the value
[[nodiscard]] Status add_key(const Settings& settings, std::string_view provider, std::string_view host, const secret::SecretBytes& value);

/// errors: Gone: none of that provider is kept; Invalid: what is kept is not whole; both with how to add it
[[nodiscard]] Result<KeptKey> load_key(const Settings& settings, std::string_view provider);

/// The providers whose keys are kept, sorted.
[[nodiscard]] Result<std::vector<std::string>> list_keys(const Settings& settings);

/// False where none of that provider was kept.
[[nodiscard]] Result<bool> remove_key(const Settings& settings, std::string_view provider);

}  // namespace lnk::host
