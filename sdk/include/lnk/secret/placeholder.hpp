// SPDX-License-Identifier: Apache-2.0
//
// What a secret's value may be, and the text that stands for it inside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/rule.hpp"

namespace lnk::secret {

/// A token is longer than this; a shorter value would be found in many a reply that does not echo it.
inline constexpr std::size_t kValueBytesMin = 6;
inline constexpr std::size_t kValueBytesMax = 4096;  ///< one field of a request is at most 8 KiB

/// errors: Invalid, in words that hold nothing of the value.
Result<void> check_value(const Rule& rule, std::string_view value);

/// The placeholder of one run, in the rule's form. It is good on one wire alone, and no secret of anything outside.
/// `random`: 32 bytes as base64url.
/// errors: Invalid where the form asks for an id that the value does not have.
Result<std::string> make_placeholder(const Rule& rule, std::string_view value, std::string_view random);

}  // namespace lnk::secret
