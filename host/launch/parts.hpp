// SPDX-License-Identifier: Apache-2.0
//
// Where this program's own parts lie, told by its own file and by nothing that an environment could move.
#pragma once

#include <filesystem>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

struct Parts {
  std::filesystem::path program;     ///< bin/lnk-sandbox
  std::filesystem::path library;     ///< lib/lnk-sandbox
  std::filesystem::path modules;     ///< lib/lnk-sandbox/modules
  std::filesystem::path wire;        ///< lib/lnk-sandbox/wire
  std::filesystem::path resolver;    ///< lib/lnk-sandbox/resolver
  std::filesystem::path mcp_remote;  ///< lib/lnk-sandbox/mcp-remote
  std::filesystem::path tool_keeper; ///< lib/lnk-sandbox/tool-keeper
  std::filesystem::path share;       ///< share/lnk-sandbox: rules that are shipped

  [[nodiscard]] static Result<Parts> of_this_program();
};

}  // namespace lnk::host
