// SPDX-License-Identifier: Apache-2.0
//
// The methods that pass, each with its direction, its family of revisions, and the members that its params may have. What is not
// in the table doesn't pass.
// source: the schemas of 2025-11-25 and 2026-07-28 (modelcontextprotocol.io/specification), and SEP-2663 (tasks).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lnk::verb_mcp {

/// Which family a message is of: 2025-03-26 to 2025-11-25, with sessions, or 2026-07-28, with none.
enum class Family : std::uint8_t { Sessions = 1, Stateless = 2 };

enum class Way : std::uint8_t { ToServer, ToClient };

enum class Form : std::uint8_t { Request, Notification };

struct Method {
  std::string_view name;
  Way way = Way::ToServer;
  Form form = Form::Request;
  std::uint8_t families = 0;                    ///< of Family
  bool is_asked = false;                        ///< only after a person's yes, but for what `tool add` excepts
  std::span<const std::string_view> members{};  ///< of params, to the server; other ones are left out
  std::string_view named_by{};                  ///< the member that Mcp-Name repeats; empty: none
};

/// Null: it doesn't pass.
[[nodiscard]] const Method* find_method(std::string_view name, Way way, Form form, Family family) noexcept;

[[nodiscard]] std::span<const Method> all_methods() noexcept;

inline constexpr std::string_view kStatelessVersion = "2026-07-28";
/// Revisions with sessions. 2024-11-05 isn't spoken over HTTP, but is what an old server negotiates.
[[nodiscard]] bool is_session_version(std::string_view version) noexcept;
/// As JSON: what an error names as supported.
inline constexpr std::string_view kSessionVersionsJson = R"(["2025-11-25","2025-06-18","2025-03-26"])";
inline constexpr std::string_view kAllVersionsJson = R"(["2026-07-28","2025-11-25","2025-06-18","2025-03-26"])";

}  // namespace lnk::verb_mcp
