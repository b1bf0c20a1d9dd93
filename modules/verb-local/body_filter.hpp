// SPDX-License-Identifier: Apache-2.0
//
// A request's body, read and written anew from what is known of it.
//
// Guarantees of what goes out: it is strict JSON of one reading; each object in it, but for schemas and the arguments
// of the program's own tools, has the members of a table alone; what stands where a runtime fetches is data: or base64;
// no tool is one that a runtime runs; no model is run elsewhere, or may be fetched where the spec names none. What no
// table has is left out; what could have a runtime reach out is refused, by its place in the body. Pure: bytes in,
// bytes or words out.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "denial.hpp"
#include "lnk/jsonfilter/coded_body.hpp"

namespace lnk::verb_local {

/// `models`: the spec's, empty where it names none.
[[nodiscard]] std::variant<Denial, std::string> filter_body(jsonfilter::Coding coding, std::string_view body,
                                                            const std::vector<std::string>& models);

}  // namespace lnk::verb_local
