// SPDX-License-Identifier: Apache-2.0
//
// Whether a file is the person's or the machine's own: only root and the person may change it, or any folder above it,
// so that its path names the same file until one of them says otherwise. That is what makes it safe to check a file and
// then hand its path on.
//
// An entry is trusted where its owner is root or the effective uid, and neither group nor others may write it. A group
// that has no member but the person may. A folder that others may write is no fault where it is sticky, since each
// entry in it is held to the same rule. Links are refused, not followed: who may change a link may be another than who
// may change what it leads to. Where a user namespace hides who an owner is, only the system's own places are trusted.
#pragma once

#include <filesystem>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Opens a regular file for reading by its absolute path, part by part, checking each.
/// errors: Denied (not trusted; the words name the part and the mend), Gone (not there), Invalid (relative, "..", no
/// file).
[[nodiscard]] Result<UniqueFd> open_trusted(const std::filesystem::path& file);

/// As open_trusted, for a file or a folder that is not opened for reading.
[[nodiscard]] Result<void> check_trusted(const std::filesystem::path& path);

/// As check_trusted, by a path that may lead over links: each link must be root's or the person's, and every folder that the
/// path leads through, the one that holds the link and those above included, is held to the rule. So none but they can
/// make the path lead elsewhere.
[[nodiscard]] Result<void> check_trusted_by_links(const std::filesystem::path& path);

}  // namespace lnk::host
