// SPDX-License-Identifier: Apache-2.0
//
// The tables: shapes (shapes.hpp says how they are read) and providers (providers.hpp), each with its date and source.
#pragma once

#include <string_view>

namespace lnk::verb_model::tables {

extern const std::string_view kAnthropic;
extern const std::string_view kOpenAiChat;
extern const std::string_view kOpenAiResponses;
extern const std::string_view kGemini;
extern const std::string_view kBedrock;
extern const std::string_view kOthers;
extern const std::string_view kProviders;

}  // namespace lnk::verb_model::tables
