// SPDX-License-Identifier: Apache-2.0
//
// The verb on a bench, asked once.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lnk::verb_model::test {

inline constexpr std::string_view kPlaceholder = "PLACEHOLDERplaceholder0123456789-_";

struct Ask {
  std::string_view provider = "anthropic";
  std::string_view path = "v1/messages";
  std::string_view body = {};
  std::string_view method = "POST";
  std::string_view query = {};
  /// Beside Content-Type and the key; empty name: neither of those.
  std::vector<std::pair<std::string_view, std::string_view>> fields = {};
  bool bare = false;  ///< neither Content-Type nor a key is added
};

struct Policy {
  bool server_tools = false;
  bool any_host = false;
  std::string models = {};  ///< as in JSON: "\"claude-*\""
};

/// What became of it, as one line:
///   "deny 403 url-refused: words"
///   "relay /target"                      without a body
///   the body that goes out
[[nodiscard]] std::string asked(const Ask& ask, const Policy& policy = {});
/// The field's edits of one that passes: "set name: text{key:anthropic}" or "remove name", one a line, after the target.
[[nodiscard]] std::string head_of(const Ask& ask, const Policy& policy = {});

/// A body of Anthropic's with these members beside the model and a message.
[[nodiscard]] std::string anthropic(std::string_view members);
[[nodiscard]] std::string chat(std::string_view members);
[[nodiscard]] std::string responses(std::string_view members);

}  // namespace lnk::verb_model::test
