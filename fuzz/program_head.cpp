// SPDX-License-Identifier: Apache-2.0
//
// The head of a program's file: whatever the file, what is read of it stands in it, no more than the kernel takes;
// bytes behind what is read change nothing; and an interpreter that is put before any text is found.
#include "programs/program_head.hpp"

#include <climits>
#include <string>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

Result<host::ProgramHead> head_of(std::string_view input) {
  return host::read_program_head([input](std::uint64_t offset, std::size_t size) -> Result<std::string> {
    LNK_HOLDS(size <= 65536);
    return offset > input.size() ? std::string() : std::string(input.substr(static_cast<std::size_t>(offset), size));
  });
}

void check_script(std::string_view input, const host::ProgramHead& head) {
  LNK_HOLDS(input.starts_with("#!") && !head.interpreter.empty() && head.loader.empty());
  LNK_HOLDS(head.interpreter.size() + head.argument.size() < host::kProgramHeadBytes);
  LNK_HOLDS(head.interpreter.find_first_of(std::string_view(" \t\n\0", 4)) == std::string::npos);
  LNK_HOLDS(head.argument.find('\n') == std::string::npos && input.find(head.interpreter) != std::string_view::npos);
  const auto program = host::program_of_env(head.argument);
  LNK_HOLDS(head.argument.find(program) != std::string::npos && !program.starts_with('-'));
}

}  // namespace

void check(std::string_view input) {
  const auto head = head_of(input);
  if (!head) {
    LNK_HOLDS(head.error().code == Code::Invalid && !head.error().text.empty());
  } else if (head->kind == host::ProgramKind::Script) {
    check_script(input, *head);
  } else {
    LNK_HOLDS(head->interpreter.empty() && head->argument.empty());
    LNK_HOLDS(head->loader.size() < PATH_MAX && head->loader.find('\0') == std::string::npos);
    LNK_HOLDS(head->loader.empty() || input.find(head->loader + std::string(1, '\0')) != std::string_view::npos);
  }
  // What stands behind the first line is the script's own.
  const auto script = head_of("#! /bin/x a\n" + std::string(input));
  LNK_HOLDS(script && script->interpreter == "/bin/x" && script->argument == "a");
}

}  // namespace lnk::fuzz
