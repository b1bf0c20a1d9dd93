// SPDX-License-Identifier: Apache-2.0
//
// Arguments of a tool that its schema wants repeated in fields of the head (x-mcp-header), which a client of the stateless family
// must do: a server refuses the call without. Pure.
// source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http, "Custom Headers from Tool
// Parameters"
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lnk::host::remote {

class ToolHeaders {
 public:
  /// The tools of an answer to tools/list. One whose schema names a field wrongly has none: its calls go without.
  void learn(std::string_view answer);
  /// Field names and values for a tools/call; of what is missing or null none.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> of(std::string_view tool, std::string_view call) const;

 private:
  struct Mirror {
    std::vector<std::string> path;  ///< of names from the arguments on
    std::string field;
  };
  friend class Scan;
  std::map<std::string, std::vector<Mirror>, std::less<>> tools_;
};

}  // namespace lnk::host::remote
