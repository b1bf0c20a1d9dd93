// SPDX-License-Identifier: Apache-2.0
//
// A program's file on this machine.
#pragma once

#include <string>
#include <vector>

#include "programs/program_head.hpp"

namespace lnk::host {

/// Of a regular file, which is opened for reading; one that may be executed and not read has no head to be told.
/// errors: Gone where it can't be opened or read; as read_program_head
[[nodiscard]] Result<ProgramHead> read_program_file(const std::string& path);

/// Every loader of this machine that is there, as its usual name: what any ELF program may ask for.
[[nodiscard]] std::vector<std::string> machine_loaders();

}  // namespace lnk::host
