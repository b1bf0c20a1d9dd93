// SPDX-License-Identifier: Apache-2.0
//
// What the verb is created with: {"models":["llama3*"],"ports":[11434]}. Without models any is asked for that is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::verb_local {

inline constexpr std::size_t kPortsMax = 64;  ///< as of [localhost]
inline constexpr std::size_t kModelsMax = 1024;
inline constexpr std::size_t kModelBytesMax = 256;

struct Config {
  std::vector<std::uint16_t> ports;
  std::vector<std::string> models;  ///< names, or their beginning with a * behind; empty: the spec names none
};

/// errors: Invalid, naming the key.
Result<Config> parse_config(std::string_view json);

}  // namespace lnk::verb_local
