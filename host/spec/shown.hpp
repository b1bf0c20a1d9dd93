// SPDX-License-Identifier: Apache-2.0
//
// Text that came from a file or a program, made safe to show to a person.
#pragma once

#include <string>
#include <string_view>

namespace lnk::host {

/// Control characters, bytes that aren't UTF-8 and characters that reorder or hide text become \n, \t, \xNN or
/// \u{N}; all else stays, non-ASCII included. A backslash becomes two, so that nothing shown is ambiguous.
/// complexity: linear.
[[nodiscard]] std::string shown(std::string_view text);

/// `shown`, in double quotes (themselves escaped), with the middle of a long text left out.
[[nodiscard]] std::string quoted(std::string_view text);
/// The same, never shortened: for what a person approves.
[[nodiscard]] std::string quoted_whole(std::string_view text);

/// UTF-8 as a TOML string in quotes, with what `shown` would escape written as TOML escapes it.
[[nodiscard]] std::string toml_string(std::string_view utf8);

}  // namespace lnk::host
