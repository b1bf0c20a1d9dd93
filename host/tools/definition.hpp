// SPDX-License-Identifier: Apache-2.0
//
// An MCP tool that runs outside: a command, or a server at a URL, and which of its tools may be called unasked. As a
// value, and as the one file that keeps it. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// A tool's file: a command's words and environment have at most 128 KiB each for the kernel (execve(2)), and thousands
/// of allowed tools are 100 bytes each.
inline constexpr std::size_t kToolFileBytesMax = 1024 * 1024;

struct ToolDefinition {
  std::string name;
  std::vector<std::string> argv = {};  ///< its program's absolute path first; empty where it is at a URL
  std::string url = {};
  std::map<std::string, std::string> headers = {};  ///< sent to the URL alone; the values are secrets
  std::map<std::string, std::string> allow =
      {};            ///< a tool's name → the SHA-256 of its definition, as it was when it was added
  bool asks = true;  ///< false: every call goes unasked
  std::vector<std::string> roots = {};  ///< folders that the host tells it of; absolute
  std::map<std::string, std::string> env = {};
  std::string added = {};  ///< "2026-12-01"
};

/// As it is kept. errors: Limit
[[nodiscard]] Result<std::string> tool_text(const ToolDefinition& tool);
/// What `tool_text` wrote. errors: Invalid
[[nodiscard]] Result<ToolDefinition> read_tool_text(std::string_view text);

/// What a person approves of it: all but the values of headers, which are its credentials, and the day. The values of
/// its environment stand as one hash.
[[nodiscard]] GrantedTool granted_of(const ToolDefinition& tool);

/// A field that a person may have sent to a URL: none that the transport sets itself. errors: Invalid
[[nodiscard]] Status check_tool_header(std::string_view name);
/// The value of one. errors: Invalid, in words without it
[[nodiscard]] Status check_tool_header_value(std::string_view value);

}  // namespace lnk::host
