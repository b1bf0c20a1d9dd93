// SPDX-License-Identifier: Apache-2.0
//
// The checks on a rule's texts, each pure: words for what is wrong, empty where nothing is.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/rule.hpp"

namespace lnk::secret {

[[nodiscard]] std::string_view host_fault(std::string_view host) noexcept;
[[nodiscard]] std::string_view method_fault(std::string_view method) noexcept;
/// Of a header that is to carry the secret.
[[nodiscard]] std::string_view header_fault(std::string_view name) noexcept;
/// Of a field that a rule lets pass beside the secret.
[[nodiscard]] std::string_view passed_field_fault(std::string_view name) noexcept;
[[nodiscard]] std::string_view query_name_fault(std::string_view name) noexcept;
/// Of text that stands in a header's value.
[[nodiscard]] bool is_field_text(std::string_view text) noexcept;
/// Of text that stands in a query as it is (RFC 3986 unreserved).
[[nodiscard]] bool is_query_text(std::string_view text) noexcept;
/// errors: Invalid where `{secret}` does not stand in it exactly once, or another brace does.
[[nodiscard]] Result<Template> parse_template(std::string_view text);
[[nodiscard]] std::string_view placeholder_form_fault(std::string_view form) noexcept;

}  // namespace lnk::secret
