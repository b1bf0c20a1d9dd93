// SPDX-License-Identifier: Apache-2.0
//
// Messages for people, on standard error, each line beginning with this program's name.
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

inline constexpr int kWrongCommandLine = 2;
inline constexpr int kRefused = 125;  ///< refused or failed before the target started; nothing ran

/// One message; a line break in it begins a new line with the name. Text from outside is escaped by who put it in.
void say(std::string_view words);

/// Says an error, and gives the exit code for it.
int say_refused(const Error& error);

/// Writes to standard output. False where it can't, which it says: a disk is full, or the reader has gone.
bool print(std::string_view text);

}  // namespace lnk::host
