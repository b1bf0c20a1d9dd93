// SPDX-License-Identifier: Apache-2.0
//
// By what a tool's definition is known: the hash that `tool add --allow` keeps, and that a call is held against.
#pragma once

#include <string>

#include "lnk/jsonfilter/document.hpp"

namespace lnk::mcp {

/// Canonical JSON: no white space, each object's keys sorted by their bytes, strings as jsonfilter writes them. A number is the text
/// that it was, so that one written otherwise is another: a definition then asks again, which is the safe side.
[[nodiscard]] std::string canonical(const jsonfilter::Value& value);

/// Of the whole object that tools/list gives for a tool, whatever it holds: SHA-256 in lower-case hex.
[[nodiscard]] std::string definition_sha256(const jsonfilter::Value& tool);

}  // namespace lnk::mcp
