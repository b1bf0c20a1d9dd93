// SPDX-License-Identifier: Apache-2.0
//
// What a plan needs to know of the machine. Gathered by doing, kept by the host for the boot.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::os_linux {

/// A file as it was when it was tried; another one in its place is not it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;  ///< ctime
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct Bubblewrap {
  std::string path;  ///< links followed
  FileIdentity identity;
  bool disables_userns = false;
  std::string problem;  ///< why it can't be used, for a person; empty: it can
  std::string mend;     ///< what the person can do about it; empty: nothing is known

  [[nodiscard]] std::string refusal() const { return mend.empty() ? problem : problem + "; " + mend; }
};

struct Landlock {
  std::uint32_t level = 0;  ///< the highest that could be used; 0: none
  std::uint64_t fs = 0;     ///< the rights of that level
  std::uint64_t scoped = 0;
};

/// What a seccomp listener can do here.
struct ExecWatch {
  bool has_listener = false;
  bool waits_killable = false;  ///< a call that was taken is interrupted by nothing but KILL
  bool seals_memory = false;    ///< memory files can be made that never run
};

struct LayoutLink {
  std::string path;
  std::string target;  ///< as readlink(2) gives it
};

struct ClosedEntry {
  std::string path;
  bool is_folder = false;
};

struct Survey {
  uid_t uid = 0;
  Bubblewrap bubblewrap;
  Landlock landlock;
  bool has_seccomp = false;
  ExecWatch exec_watch;
  std::vector<std::string> system_folders;  ///< seen read only in every sandbox
  std::vector<LayoutLink> links;            ///< of the machine's layout
  std::vector<ClosedEntry> closed;          ///< entries of /etc and /proc that others can't read, and this person can
  std::vector<std::string> proc_read_only;  ///< writable by this person's rights outside /proc/PID
  std::string resolver_file;                ///< /etc/resolv.conf, or what it leads to where it is a link, which need not be there

  /// Only what passed may be kept.
  [[nodiscard]] bool may_be_kept() const noexcept { return bubblewrap.problem.empty() && has_seccomp; }
};

/// Looks at the machine; tries bubblewrap with the program at `inner_stage`.
[[nodiscard]] Survey look_at_machine(const std::string& inner_stage);

[[nodiscard]] bool has_seccomp_filters() noexcept;

[[nodiscard]] std::string survey_json(const Survey& survey);
/// errors: Invalid
[[nodiscard]] Result<Survey> parse_survey(std::string_view json);

}  // namespace lnk::os_linux
