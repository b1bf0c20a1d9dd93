// SPDX-License-Identifier: Apache-2.0
//
// Finds the placeholder where the secret will go, and says which fields of a request may go on with it.
// Pure: views in, values out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "lnk/route/path_shape.hpp"

namespace lnk::verb_secret {

/// Whether the request carries the secret's placeholder in the rule's place, and only one text there.
/// The placeholder is compared in constant time; the texts around it are no secret.
[[nodiscard]] bool has_placeholder(const Secret& secret, const HeadEvent& head, const route::Match& match);

/// Whether a field stays behind: the rule's own in any spelling, one that holds the placeholder, and each whose name is
/// neither one that API clients send nor one that the rule names.
[[nodiscard]] bool is_dropped(const Secret& secret, const Field& field);

/// The query without its parameters that are the rule's own or carry the placeholder.
[[nodiscard]] std::string kept_query(const Secret& secret, std::string_view query);

/// A parameter that may not stand beside the secret, its name as sent, and why.
struct RefusedParameter {
  std::string_view name;
  std::string_view why;
};
/// The first one of the query that is kept; nothing where there is none.
[[nodiscard]] std::optional<RefusedParameter> refused_parameter(const Secret& secret, std::string_view query);
/// Why a parameter, or a field of a form, may not stand, name and value decoded; empty: it may.
[[nodiscard]] std::string_view pair_fault(const Secret& secret, std::string_view name, std::string_view value);

/// Text with %XX and '+' read as a server reads a query; what is no encoding stays as it is.
[[nodiscard]] std::string decoded_query_text(std::string_view text);

}  // namespace lnk::verb_secret
