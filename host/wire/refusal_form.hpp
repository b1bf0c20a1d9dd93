// SPDX-License-Identifier: Apache-2.0
//
// The form of a refusal's body that a route asked for, so that its clients show the words: one line of JSON with {words}, {reason}
// and {status} in it. Pure.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/http/refusal.hpp"

namespace lnk::host {

/// errors: Invalid, Limit. A form is printable ASCII in braces, with {words} once.
Result<void> check_refusal_form(std::string_view form);

/// The form with what was refused in it, escaped as JSON's strings are.
[[nodiscard]] std::string fill_refusal_form(std::string_view form, const http::Refusal& refusal);

}  // namespace lnk::host
