// SPDX-License-Identifier: Apache-2.0
//
// The notes of an ELF file's PT_NOTE segments. The bytes may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

using Bytes = std::span<const std::byte>;

struct ElfNote {
  std::string_view owner;  ///< without its closing NUL
  std::uint32_t type = 0;
  Bytes description;
};

/// Pure. The notes borrow from `file`. errors: Invalid (no sound ELF file), Unsupported (not of this machine's width,
/// byte order or processor). source: elf(5), System V gABI "Note Section"
[[nodiscard]] Result<std::vector<ElfNote>> read_elf_notes(Bytes file);

}  // namespace lnk::host
