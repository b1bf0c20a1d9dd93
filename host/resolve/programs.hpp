// SPDX-License-Identifier: Apache-2.0
//
// The list of programs that may run, held against the grants. A rule of the kernel's holds a file, whatever it holds by
// then: so a program that the sandbox could write, or put in place, can't be listed, and what the kernel starts a
// program by (its loader, a script's interpreter) is looked at too. Reads the file system and changes nothing.
#pragma once

#include <map>
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

/// Why a program can't run beside a list.
struct RunFault {
  std::string words;                 ///< for after the program's name; empty: it can
  std::vector<std::string> missing;  ///< names that are to be listed too, where that is all; else none
  std::string to_read;               ///< what [files] read is to name, where that helps; else empty

  /// With the mend: of a spec's keys, or, of a typed list, of the flags.
  [[nodiscard]] std::string text(bool is_typed) const;
};

struct ProgramFault {
  std::size_t place = 0;  ///< in the list
  RunFault fault;
};

struct JudgedPrograms {
  std::vector<ProgramFault> faults;  ///< at most one of each program
  std::vector<std::string> loaders;  ///< with links followed, sorted, each once
};

[[nodiscard]] JudgedPrograms judge_programs(const ProgramGround& ground);

/// Of the program that is started beside this list. Its loader is added. `path` has no links.
[[nodiscard]] RunFault judge_started(const std::string& path, const ProgramGround& ground,
                                     std::vector<std::string>& loaders);

/// Why what a program's file says of itself doesn't let it run beside the list: a script's interpreter.
[[nodiscard]] RunFault head_fault(const std::string& target, const ProgramGround& ground);

/// The entry that lists a file, or a folder that it lies in; null: none does.
[[nodiscard]] const GrantedProgram* find_listed(std::string_view target, const Grants& grants);

/// The entry that lists the same file by another name of it, a hard link, which the kernel lets run by any; null: none does.
[[nodiscard]] const GrantedProgram* find_same_file(const std::string& target, const Grants& grants);

/// How a program is written most shortly in a list: a bare name where that finds it, else its path, from ~/ where it is
/// in the home. Empty: no list can name it.
[[nodiscard]] std::string name_to_list(const std::string& target, const std::string& seen_as,
                                       const ProgramGround& ground);

/// Why a bare name leads to no program, with what was meant.
[[nodiscard]] std::string not_found_words(const std::string& name, const LooksInside& look);

/// The names on the sandbox's PATH by which links lead to each file, and which find it: shortest first.
[[nodiscard]] std::map<std::string, std::vector<std::string>> names_by_link(const LooksInside& look);

/// An origin without its column: as a refused program is told.
[[nodiscard]] std::string line_of(const Origin& origin);

/// What begins a refusal of one entry; `path`, what a name was looked up to, is told where it isn't obvious.
[[nodiscard]] std::string program_words(std::string_view written, std::string_view path = {}, bool is_typed = false);

/// Whether it is of the command line.
[[nodiscard]] bool is_typed(const Origin& origin);

/// `, which is "…"`, of what a bare name was looked up to where it isn't one of the system's of that name; else empty.
[[nodiscard]] std::string looked_up(std::string_view name, std::string_view path);

}  // namespace lnk::host
