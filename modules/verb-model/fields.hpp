// SPDX-License-Identifier: Apache-2.0
//
// A request's fields and query: where the placeholder stands, what passes, and what is set.
// Pure: views in, values out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "denial.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "lnk/jsonfilter/coded_body.hpp"
#include "policy.hpp"
#include "providers.hpp"

namespace lnk::verb_model {

/// Whether one of the fields in which the provider's clients send a key, or `?key=`, has the placeholder.
/// It is compared in constant time with each.
[[nodiscard]] bool has_placeholder(const Provider& provider, std::string_view placeholder, const HeadEvent& head);

/// What is done to the fields: of those that came a pass-list goes on, and one key is set.
[[nodiscard]] std::vector<FieldEdit> edits_of(const Provider& provider, const Endpoint& endpoint, const Policy& policy,
                                              std::string_view placeholder, const HeadEvent& head);

/// The query's parameters that pass; a key is none of them.
[[nodiscard]] std::variant<std::string, Denial> kept_query(const Endpoint& endpoint, const HeadEvent& head);

/// How the body is coded, or why it isn't read.
[[nodiscard]] std::variant<jsonfilter::Coding, Denial> coding_of_body(const HeadEvent& head);

}  // namespace lnk::verb_model
