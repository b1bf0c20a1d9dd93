// SPDX-License-Identifier: Apache-2.0
//
// A failed system call as an Error.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::posix {

/// "No such file or directory"; never null, safe on any thread.
[[nodiscard]] std::string_view errno_words(int os_errno) noexcept;

/// "open '/etc/x': No such file or directory". `subject` may be empty. Control characters of `subject` are escaped.
[[nodiscard]] Failure os_fail(Code code, std::string_view call, std::string_view subject, int os_errno);

/// Text from outside, made fit to be shown on one line: control characters and non-ASCII bytes that are no UTF-8 stand
/// as \xNN.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace lnk::posix
