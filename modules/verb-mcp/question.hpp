// SPDX-License-Identifier: Apache-2.0
//
// What a person is asked, and the words where they said no. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "message.hpp"
#include "methods.hpp"
#include "tool_list.hpp"

namespace lnk::verb_mcp {

struct Question {
  std::string title;
  std::vector<std::string> lines;  ///< whole; the host cuts what it shows
};

/// All that would go to the server, one value a line. Nothing: it has too much to be looked over.
[[nodiscard]] std::optional<Question> make_question(const Tool& tool, const Method& method, const Json& params);

/// What is known of the server's tool, behind the arguments.
void add_standing(Question& question, const Tool& tool, const ToolList& list, std::string_view name);

/// The reply to a request that a person didn't say yes to: of tools/call a result that says so, so that a model reads it.
[[nodiscard]] std::string refusal_reply(const Id& id, const Method& method, Family family, std::string_view words);
[[nodiscard]] std::string_view words_of(Answer answer) noexcept;

}  // namespace lnk::verb_mcp
