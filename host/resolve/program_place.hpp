// SPDX-License-Identifier: Apache-2.0
//
// Whether a place may hold programs that are listed: nobody who may not say what runs can change what is there.
#pragma once

#include <optional>
#include <string>

#include "resolve/programs.hpp"
#include "resolve/way_inside.hpp"

namespace lnk::host {

/// Each: why not, for after the entry's name; empty: it may.
[[nodiscard]] std::string kind_fault(const std::string& target, bool is_folder);
/// That a path is seen in the sandbox at all.
[[nodiscard]] std::string inside_fault(const std::string& path, const ProgramGround& ground);
/// That a file or folder is seen there, and neither the sandbox nor others can write it or make another of its name.
[[nodiscard]] std::string place_fault(const std::string& target, const ProgramGround& ground);
/// That nothing in it is the sandbox's to write.
[[nodiscard]] std::string folder_fault(const std::string& target, const ProgramGround& ground);

/// Whether [files] read of it would mend what place_fault says: it isn't named, or it is written.
[[nodiscard]] bool read_would_help(const std::string& target, const ProgramGround& ground);

/// The first link on the way to a path that isn't seen in the sandbox, with words for it.
[[nodiscard]] std::optional<UnseenLink> link_not_inside(const std::string& path, const ProgramGround& ground);
[[nodiscard]] std::string way_words(const UnseenLink& unseen);

}  // namespace lnk::host
