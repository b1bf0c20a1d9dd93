// SPDX-License-Identifier: Apache-2.0
//
// What the verb is created with:
// {"providers":[{"name":"anthropic","host":"api.anthropic.com","placeholder":"…"}],"server_tools":false,"models":["claude-*"],
//  "any_host":false}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "policy.hpp"

namespace lnk::verb_model {

inline constexpr std::size_t kProvidersMax = 64;
inline constexpr std::size_t kModelsMax = 256;
inline constexpr std::size_t kPlaceholderBytesMin = 16;  ///< a shorter one could be guessed
inline constexpr std::size_t kPlaceholderBytesMax = 512;

struct Asked {
  std::string name;  ///< of the table
  std::string host;
  std::string placeholder;
};

struct Config {
  std::vector<Asked> providers;
  Policy policy;
};

/// errors: Invalid, Limit, naming the provider and the key.
Result<Config> parse_config(std::string_view json);

}  // namespace lnk::verb_model
