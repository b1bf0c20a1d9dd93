// SPDX-License-Identifier: Apache-2.0
//
// What the kernel reads of a program's file before it runs it: which loader an ELF program asks for, and which
// interpreter a script's first line names. Pure: bytes come from a function. What the kernel would not run as it reads
// is refused, so that nothing is told of a file that the kernel takes in another way. source: fs/binfmt_elf.c,
// fs/binfmt_script.c; elf(5), execve(2)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// Up to `size` bytes at `offset`: fewer only where the file ends.
using ReadAt = std::function<Result<std::string>(std::uint64_t offset, std::size_t size)>;

enum class ProgramKind {
  Elf,
  Script,
  Other  ///< the kernel knows no such format by itself; a shell takes it for a script of its own
};

struct ProgramHead {
  ProgramKind kind = ProgramKind::Other;
  std::string loader;       ///< of an ELF program, as it names it; empty: it needs none
  std::string interpreter;  ///< of a script, as its first line names it
  std::string argument;     ///< what follows it on that line, one argument whatever it holds
};

/// errors: Invalid, with what is wrong of the file for a person
[[nodiscard]] Result<ProgramHead> read_program_head(const ReadAt& read);

/// What the kernel looks at first of any file.
inline constexpr std::size_t kProgramHeadBytes = 256;

/// Of a file that begins with #!, its first kProgramHeadBytes, fewer where it is shorter.
[[nodiscard]] Result<ProgramHead> read_script_line(std::string_view head);

/// Of a file that begins as an ELF file does.
[[nodiscard]] Result<ProgramHead> read_elf_head(std::string_view head, const ReadAt& read);

/// What env(1) with such an argument looks up on the PATH and starts; empty: nothing that can be told.
[[nodiscard]] std::string program_of_env(std::string_view argument);

}  // namespace lnk::host
