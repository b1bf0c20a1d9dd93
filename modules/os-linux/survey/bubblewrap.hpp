// SPDX-License-Identifier: Apache-2.0
//
// Which bubblewrap is used, and whether it can be.
#pragma once

#include <string>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "survey/survey.hpp"

namespace lnk::os_linux {

/// Opens (O_PATH) the bubblewrap at `path` and looks at what was opened.
/// errors: Gone; Denied where it is setuid, or others may write it
struct HeldBubblewrap {
  UniqueFd fd;
  FileIdentity identity;
};
[[nodiscard]] Result<HeldBubblewrap> hold_bubblewrap(const std::string& path);

/// A run of bubblewrap as a start would be, but of nothing.
struct BubblewrapTrial {
  bool ran = false;
  int code = 0;
  std::string words;  ///< what it said
};
[[nodiscard]] BubblewrapTrial try_bubblewrap(const std::string& path, const std::string& inner_stage,
                                             bool disables_userns);

/// The first line of what bubblewrap said, fit to be shown.
[[nodiscard]] std::string bubblewrap_words(std::string_view said);

/// Finds one in the places of the system, whatever PATH says, and tries it.
[[nodiscard]] Bubblewrap find_bubblewrap(const std::string& inner_stage);

/// What may refuse a user namespace here, each told by what can be read without trying.
struct Refusers {
  bool no_namespaces = false;  ///< user.max_user_namespaces = 0
  bool root_alone = false;     ///< Debian's kernel.unprivileged_userns_clone = 0
  bool apparmor = false;       ///< Ubuntu's restriction to programs with a profile, which binds all but root
  bool outer_filter = false;   ///< a filter of system calls was here before us: a container's, most often
};
[[nodiscard]] Refusers find_refusers();

/// Which layer refuses, by the words of a failed trial, and what a person can do about it; empty: nothing is known.
[[nodiscard]] std::string mend_for(std::string_view words, const Refusers& refusers);

}  // namespace lnk::os_linux
