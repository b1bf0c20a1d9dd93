// SPDX-License-Identifier: Apache-2.0
//
// Slips of the command line in plain words: the library's own are about its classes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/args.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lnk::host {

/// The commands that were made, in order.
[[nodiscard]] std::vector<std::string> commands_of(const CLI::App& app);

/// " secret add", as far as it was named.
[[nodiscard]] std::string named_command(const CLI::App& app);

/// How many words an option takes beyond its own.
[[nodiscard]] std::size_t values_of(const CLI::App& app, const std::string& word);

[[nodiscard]] std::string words_of(const CLI::App& app, const CLI::ParseError& error);

/// Said first: the library would say that a command is missing. Empty: none is.
[[nodiscard]] std::string unknown_option(const CLI::App& app, const std::vector<std::string>& words);

/// Of a group of commands, as `secret` and `on-stop`, and what is to be done in it. Empty: no slip.
[[nodiscard]] std::string group_slip(const std::vector<std::string>& words);

/// Of what options were given. Empty: no slip.
[[nodiscard]] std::string value_slip(const CLI::App& app, const Arguments& arguments);

}  // namespace lnk::host
