// SPDX-License-Identifier: Apache-2.0
//
// Looking at places that a program may have changed. No link is followed unless asked for, a pipe or device is never opened,
// and only so much is read.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

enum class Entry { Missing, Folder, File, Link, Other };

struct Seen {
  Entry entry = Entry::Missing;
  /// The place itself; or, on the way to it, the first link, the first part that isn't there, or what stands where a folder
  /// should.
  std::string at;
  bool is_marked = false;  ///< a folder of the person's with the sticky bit, as an empty one that holds a name has
};

enum class Links { Refused, Followed };

/// What stands at an absolute, clean path, no link in any part of it followed.
/// errors: Denied where a folder on the way may not be entered
[[nodiscard]] Result<Seen> look_at(const std::string& path);

/// A regular file's bytes; nothing where there is no such file, or it may not be read.
/// errors: Limit where it has more than `bytes_max`
[[nodiscard]] Result<std::optional<std::string>> read_plain(const std::string& path, std::size_t bytes_max, Links links);

/// The names in a folder, sorted; none where there is no such folder.
/// errors: Limit where it has more than `names_max`
[[nodiscard]] Result<std::vector<std::string>> names_in(const std::string& path, std::size_t names_max, Links links);

/// A descriptor for the place alone (O_PATH).
/// errors: os_errno; ELOOP: a link stands in the path
[[nodiscard]] Result<UniqueFd> open_place(const std::string& path, Links links);

}  // namespace lnk::host
