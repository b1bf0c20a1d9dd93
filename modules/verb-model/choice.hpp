// SPDX-License-Identifier: Apache-2.0
//
// The choice of a tool that was taken out, mended: a provider answers 400 to one that names no tool, and to a choice where
// there are none.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lnk/jsonfilter/document.hpp"

namespace lnk::verb_model {

/// Whose form a request's choice has.
enum class Choice : std::uint8_t { None, Anthropic, OpenAi, Gemini, Bedrock };

/// Where tools were taken out of it. `kept`: names and types of those that are left.
void mend_choice(Choice form, std::vector<std::string_view> kept, jsonfilter::Document& document);

}  // namespace lnk::verb_model
