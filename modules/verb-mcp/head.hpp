// SPDX-License-Identifier: Apache-2.0
//
// What a request's head says to MCP, and what is refused on it alone. Pure.
// source: modelcontextprotocol.io/specification/2025-11-25/basic/transports and
//         modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "lnk/cpp/verb_events.hpp"
#include "header_params.hpp"
#include "message.hpp"
#include "methods.hpp"

namespace lnk::verb_mcp {

enum class Does : std::uint8_t { Post, Get, Delete };

/// What was said of the message that follows, kept until it is there.
struct HeadFacts {
  std::uint32_t route = 0;
  Does does = Does::Post;
  std::optional<std::string> session;        ///< Mcp-Session-Id
  std::optional<std::string> version;        ///< MCP-Protocol-Version
  std::optional<std::string> method;         ///< Mcp-Method
  std::optional<std::string> name;           ///< Mcp-Name, decoded
  std::optional<std::string> last_event_id;  ///< Last-Event-ID
  SentParams params;                         ///< Mcp-Param-…, decoded
  std::string fault;                         ///< a field of 2026-07-28 that can't be read; empty: none
};

/// A reply that refuses. With a code of JSON-RPC's own it is an error of the message; without it is a refusal of the request.
struct Refusal {
  std::uint32_t status = 400;
  int code = kRefused;
  std::string words;
  std::optional<Id> id = {};
  std::string data = {};  ///< JSON
};

[[nodiscard]] std::variant<HeadFacts, Refusal> read_head(const HeadEvent& head);

/// Holds the fields of 2026-07-28 against the message. Null: they say the same.
[[nodiscard]] std::optional<Refusal> check_stateless_fields(const HeadFacts& head, const Message& message, const Method* method);

}  // namespace lnk::verb_mcp
