// SPDX-License-Identifier: Apache-2.0
//
// JSON-RPC messages: read strictly, written anew on one line. Pure.
// source: JSON-RPC 2.0; MCP's schema, where an id is a string or a whole number and never null.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "lnk/cpp/result.hpp"
#include "lnk/jsonfilter/document.hpp"

namespace lnk::verb_mcp {

using Json = jsonfilter::Value;
using jsonfilter::Document;

/// A request's id, or a progress token: a string, or a whole number as the text that it was.
struct Id {
  bool is_string = false;
  std::string text;

  [[nodiscard]] static std::optional<Id> read(const Json* value);
  [[nodiscard]] static Id number(std::uint64_t value) { return {false, std::to_string(value)}; }
  /// Borrows this id's text.
  [[nodiscard]] Json value() const noexcept { return is_string ? Json::string(text) : Json::number(text); }
  [[nodiscard]] std::string json() const { return jsonfilter::write(value()); }
  /// The number, where it is one of ours: digits alone.
  [[nodiscard]] std::optional<std::uint64_t> own_number() const noexcept;
  friend bool operator==(const Id&, const Id&) = default;
};

/// A message; its values are its document's.
struct Message {
  enum class Kind : std::uint8_t { Request, Notification, Response };
  Kind kind = Kind::Request;
  Document document;
  std::optional<Id> id;
  std::string_view method;  ///< of a request and a notification
  Json params;              ///< an object, or null: none
  Json result;              ///< of a response that went well
  Json error;               ///< an object; null: it went well
};

/// Why a text is no message: the code of JSON-RPC's error, and words.
struct NoMessage {
  int code = 0;
  std::string words;
  std::optional<Id> id = {};  ///< where it could be read
};

/// Borrows `text`. No array: 2025-03-26 has batches, and they are refused in words.
[[nodiscard]] std::variant<Message, NoMessage> read_message(std::string_view text);

// ---- writing; each is one line with no line end in it ----
[[nodiscard]] std::string write_request(const Id& id, std::string_view method, const Json& params);
[[nodiscard]] std::string write_notification(std::string_view method, const Json& params);
[[nodiscard]] std::string write_result(const Id& id, const Json& result);
[[nodiscard]] std::string write_error(const Id& id, const Json& error);
/// `data`: JSON, or empty. Without an id it is null.
[[nodiscard]] std::string make_error(const std::optional<Id>& id, int code, std::string_view words, std::string_view data = {});

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kRefused = -32000;         ///< ours: a person, or a rule of the sandbox
inline constexpr int kHeaderMismatch = -32020;  ///< 2026-07-28
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

}  // namespace lnk::verb_mcp
