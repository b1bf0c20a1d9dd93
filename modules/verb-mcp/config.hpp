// SPDX-License-Identifier: Apache-2.0
//
// What the verb is created with:
// {"tools":[{"name":"files","allow":{"read_file":"<sha256>"},"ask":"all","roots":["/home/ann/notes"]}]}
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::verb_mcp {

struct Tool {
  std::string name;                                         ///< as `tool add` named it
  std::map<std::string, std::string, std::less<>> allowed;  ///< the server's tools that go unasked, and the hash of each definition
  bool asks = true;                                         ///< false: --ask none
  std::vector<std::string> roots;                           ///< absolute folders
};

/// errors: Invalid, naming the key.
Result<std::vector<Tool>> parse_config(std::string_view json);

}  // namespace lnk::verb_mcp
