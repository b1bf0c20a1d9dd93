// SPDX-License-Identifier: Apache-2.0
//
// The list of programs that may run, held against the grants. A rule of the kernel's holds a file, whatever it holds by
// then: so a program that the sandbox could write, or put in place, can't be listed, and what the kernel starts a
// program by (its loader, a script's interpreter) is looked at too. Reads the file system and changes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "resolve/resolve.hpp"

namespace lnk::host {

/// Finds programs as one inside does: on the sandbox's PATH, among what it may read.
struct LooksInside {
  std::string path_variable;
  std::vector<GrantedFile> files;

  /// A name with a / is a path, of the current folder where it is relative. Where nothing that is found is open inside,
  /// the first that is found at all; empty: none is.
  [[nodiscard]] std::string find(const std::string& name) const;
};
[[nodiscard]] LooksInside looks_inside(const Resolved& resolved);
[[nodiscard]] LooksInside looks_inside(const Grants& grants);

/// What listed programs are held against.
struct ProgramGround {
  const Grants& grants;  ///< their commands are the list
  const std::vector<std::string>& closed;
  LooksInside look;
  std::string home_target;
};
[[nodiscard]] ProgramGround ground_for_programs(const Grants& grants, const std::vector<std::string>& closed);

struct ProgramFault {
  std::size_t place = 0;  ///< in the list
  std::string words;
};

struct JudgedPrograms {
  std::vector<ProgramFault> faults;  ///< at most one of each program
  std::vector<std::string> loaders;  ///< with links followed, sorted, each once
};

[[nodiscard]] JudgedPrograms judge_programs(const ProgramGround& ground);

/// Why the program that is started can't be, beside this list; empty: it can. Its loader is added. `path` has no links.
[[nodiscard]] std::string judge_started(const std::string& path, const ProgramGround& ground,
                                        std::vector<std::string>& loaders);

/// Why what a program's file says of itself doesn't let it run beside the list: a script's interpreter; empty: it does.
[[nodiscard]] std::string head_fault(const std::string& target, const ProgramGround& ground);

/// The entry that lists a file, or a folder that it lies in; null: none does.
[[nodiscard]] const GrantedProgram* find_listed(std::string_view target, const Grants& grants);

/// The entry that lists the same file by another name of it, a hard link, which the kernel lets run by any; null: none does.
[[nodiscard]] const GrantedProgram* find_same_file(const std::string& target, const Grants& grants);

/// How a program is written most shortly in a list: a bare name where that finds it, else its path, from ~/ where it is
/// in the home. Empty: no list can name it.
[[nodiscard]] std::string name_to_list(const std::string& target, const std::string& seen_as,
                                       const ProgramGround& ground);

/// An origin without its column: as a refused program is told.
[[nodiscard]] std::string line_of(const Origin& origin);

/// What begins a refusal of one entry.
[[nodiscard]] std::string program_words(std::string_view written);

}  // namespace lnk::host
