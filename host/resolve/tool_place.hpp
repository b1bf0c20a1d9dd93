// SPDX-License-Identifier: Apache-2.0
//
// Whether a program inside could change what a name outside leads to. Reads the file system and changes nothing.
#pragma once

#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// The grant by which it could put another thing, or a link, in the place of the path, of a folder on its way or of a link there;
/// null: none. A folder that is itself granted to be written stays where it is.
[[nodiscard]] const GrantedFile* changeable_by(const std::string& path, const std::vector<GrantedFile>& files);

/// The absolute paths that a variable's value may hold: "/a:/b", "--require /a", "--opt=/a".
[[nodiscard]] std::vector<std::string> paths_in(const std::string& value);

/// A word of a command that is run in `home`, as the path that it may be; empty: it is none.
[[nodiscard]] std::string path_of_word(const std::string& word, const std::string& home);

}  // namespace lnk::host
