// SPDX-License-Identifier: Apache-2.0
//
// What the verb is created with: {"secrets":[{"name":"telegram","placeholder":"…","rule":{…}}]}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/rule.hpp"

namespace lnk::verb_secret {

inline constexpr std::size_t kSecretsMax = 64;  ///< a spec names a handful
inline constexpr std::size_t kNameBytesMax = 40;
inline constexpr std::size_t kPlaceholderBytesMin = 16;  ///< a shorter one could be guessed
inline constexpr std::size_t kPlaceholderBytesMax = 512;

struct Secret {
  std::string name;
  std::string placeholder;
  secret::Rule rule;
};

/// errors: Invalid, Limit, naming the secret and the key.
Result<std::vector<Secret>> parse_config(std::string_view json);

}  // namespace lnk::verb_secret
