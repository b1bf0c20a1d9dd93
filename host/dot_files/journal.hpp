// SPDX-License-Identifier: Apache-2.0
//
// The list of placeholders as it is kept. Pure.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// A process of this boot that a number alone doesn't name: numbers are used again. 0: none.
struct ProcessName {
  pid_t pid = 0;
  std::uint64_t start = 0;  ///< in clock ticks since the boot: proc_pid_stat(5), field 22

  friend bool operator==(const ProcessName&, const ProcessName&) = default;
};

struct JournalHold {
  ProcessName front;
  ProcessName inside;  ///< the sandbox's first process, once it is known

  friend bool operator==(const JournalHold&, const JournalHold&) = default;
};

struct JournalEntry {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  ///< 0: it was about to be made
  std::uint64_t born = 0;   ///< in nanoseconds since 1970; 0: its file system doesn't tell
  std::vector<JournalHold> holds;
};

struct Journal {
  std::string boot;  ///< of the holds: none outlives a boot
  std::vector<JournalEntry> entries;

  [[nodiscard]] JournalEntry* find(std::string_view path);
};

[[nodiscard]] std::string journal_text(const Journal& journal);
/// errors: Invalid
[[nodiscard]] Result<Journal> read_journal(std::string_view text);

}  // namespace lnk::host
