// SPDX-License-Identifier: Apache-2.0
//
// MCP messages: what one is, read without changing a byte of it, and the few that are ours. Pure.
// source: JSON-RPC 2.0; https://modelcontextprotocol.io/specification (2025-03-26 to 2026-07-28)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host::remote {

/// The first revision without sessions. A date of text: later ones are larger.
inline constexpr std::string_view kStatelessVersion = "2026-07-28";

struct Message {
  std::string line;  ///< as it came; of a server's, its line breaks are spaces
  bool is_batch = false;
  std::string method;                     ///< empty: an answer, or a batch
  std::vector<std::string> request_ids;   ///< as JSON; more than one of a batch alone
  std::vector<std::string> response_ids;  ///< "null" is one too
  std::string name;                       ///< params.name, or params.uri: what Mcp-Name repeats
  std::string version;                    ///< of params._meta: a message of the stateless family
  std::string cancelled;                  ///< of notifications/cancelled: the request's id, as JSON
  bool is_error = false;                  ///< an answer that is an error

  [[nodiscard]] bool is_stateless() const noexcept { return version >= kStatelessVersion; }
};

/// One message of JSON-RPC, or a batch. errors: Invalid; its words hold nothing of the text.
[[nodiscard]] Result<Message> read_message(std::string text);

/// What a server answered initialize with. Empty: nothing that can be read.
[[nodiscard]] std::string negotiated_version(std::string_view answer);
/// The same initialize with another id: for a session of our own making. `number` tells it from others.
[[nodiscard]] std::string initialize_again(std::string_view initialize, std::uint64_t number);
[[nodiscard]] std::string renewal_id(std::uint64_t number);
/// What stands behind a new session may be another server: what the client knows of its tools is to be read again.
inline constexpr std::string_view kToolsMayDiffer = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
inline constexpr std::string_view kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

/// An error of ours, as a line. `id`: as JSON.
[[nodiscard]] std::string error_line(std::string_view id, std::string_view words);
/// The error of a server's answer, whose id may be missing, for the request that it answers. Empty: the text is no error.
[[nodiscard]] std::string error_line_of(std::string_view answer, std::string_view id);

/// A value of the field Mcp-Name: as it is where a field can hold it so, else in base64.
/// source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-headers
[[nodiscard]] std::string field_text(std::string_view text);

}  // namespace lnk::host::remote
