// SPDX-License-Identifier: Apache-2.0
//
// Sources are opened once, without following a link, and what is held is what is mounted.
#pragma once

#include <sys/types.h>

#include <string>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "plan/snapshot.hpp"

namespace lnk::os_linux {

struct Pin {
  UniqueFd fd;  ///< O_PATH
  FileKind kind = FileKind::Any;
  dev_t device = 0;
  ino_t inode = 0;
};

/// Opens a folder, a file, a socket or a FIFO by its absolute path, and connects with none; a link anywhere in it, at its
/// end too, is refused.
/// errors: Gone (os_errno ENOENT or ENOTDIR where nothing is there, ELOOP for a link); Denied for a device
[[nodiscard]] Result<Pin> pin(const std::string& path);

/// As pin, by opening one part after the other, for where openat2(2) is refused.
[[nodiscard]] Result<Pin> pin_by_parts(const std::string& path);

/// Whether an error of pin says that nothing is there.
[[nodiscard]] bool is_missing(const Error& error) noexcept;

}  // namespace lnk::os_linux
