// SPDX-License-Identifier: Apache-2.0
//
// Where a program's name leads on a PATH.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lnk::host {

/// Each place where a name is looked for, in order; a name with a / is one.
[[nodiscard]] std::vector<std::string> places_of_name(const std::string& name, const std::string& path_variable);

/// Every name in the folders of a PATH, sorted, each once.
[[nodiscard]] std::vector<std::string> names_on_path(const std::string& path_variable);

/// The regular files that a name may lead to and that the person may execute, in order: of each folder of the PATH that
/// is absolute, as a shell's lookup takes them. A name with a / is a path, of the current folder where it is relative.
[[nodiscard]] std::vector<std::string> programs_of_name(const std::string& name, const std::string& path_variable);

/// The first of them that `is_open` takes, as one inside finds it; where it takes none, the first. Empty: there is
/// none.
[[nodiscard]] std::string find_on_path(const std::string& name, const std::string& path_variable,
                                       const std::function<bool(const std::string&)>& is_open);

}  // namespace lnk::host
