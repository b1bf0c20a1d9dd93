// SPDX-License-Identifier: Apache-2.0
#include "programs/program_head.hpp"

#include <elf.h>

namespace lnk::host {

Result<ProgramHead> read_program_head(const ReadAt& read) {
  LNK_TRY(const auto head, read(0, kProgramHeadBytes));
  if (head.starts_with("#!")) return read_script_line(head);
  if (head.starts_with(ELFMAG)) return read_elf_head(head, read);
  return ProgramHead{};
}

}  // namespace lnk::host
