// SPDX-License-Identifier: Apache-2.0
//
// Arguments of a tool that its schema has repeated in fields (Mcp-Param-…), held against the message: a server on standard input
// sees no field, so nobody else would. Pure.
// source: modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http, "Custom Headers from Tool Parameters"
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message.hpp"

namespace lnk::verb_mcp {

/// One that the schema of a tool declares: x-mcp-header, at the end of a chain of `properties`.
struct DeclaredParam {
  std::string field;              ///< in small letters: "mcp-param-region"
  std::vector<std::string> path;  ///< below `arguments`
};

/// What was sent, by the field's name in small letters; nothing: what can't be decoded.
using SentParams = std::map<std::string, std::optional<std::string>, std::less<>>;

inline constexpr std::string_view kParamPrefix = "mcp-param-";

[[nodiscard]] std::vector<DeclaredParam> declared_params(const Json& tool);

/// Empty: they say the same. A field that no schema declares is nobody's here.
[[nodiscard]] std::string param_fault(const std::vector<DeclaredParam>& declared, const SentParams& sent,
                                      std::string_view params_json);

}  // namespace lnk::verb_mcp
