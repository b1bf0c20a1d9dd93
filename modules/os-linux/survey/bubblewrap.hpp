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

/// What a person can do about the words of a failed trial; empty: nothing is known.
[[nodiscard]] std::string mend_for(std::string_view words, bool apparmor_restricts);
/// Ubuntu's restriction of user namespaces to programs with a profile.
[[nodiscard]] bool apparmor_restricts_userns();

}  // namespace lnk::os_linux
