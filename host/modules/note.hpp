// SPDX-License-Identifier: Apache-2.0
//
// Reads the note of a module out of its bytes, running nothing of it. The bytes may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lnk/abi/note.h"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

enum class ModuleKind : std::uint16_t { Os = LNK_KIND_OS, Verb = LNK_KIND_VERB };

struct Note {
  std::uint16_t sdk_major = 0;
  std::uint16_t sdk_minor = 0;
  ModuleKind kind = ModuleKind::Verb;
  std::string id = {};
  std::string needs = {};  ///< `requires` of note.h
  std::string uses = {};
};

/// Pure. errors: Invalid (no sound ELF file, or no sound note), Unsupported (another machine, width, SDK major or a
/// newer minor), each with what was found and what is wanted.
[[nodiscard]] Result<Note> read_note(std::span<const std::byte> file);

/// The schema of a module's own table in a spec, as its schema note holds it; empty: there is none. errors: as read_note's of
/// the file, and where it has two.
[[nodiscard]] Result<std::string> read_schema_note(std::span<const std::byte> file);

/// A module's id: a-z, 0-9 and '-', beginning with one of the first two, at most 64.
[[nodiscard]] bool is_module_id(std::string_view id) noexcept;

/// "os" or "verb".
[[nodiscard]] std::string_view kind_word(ModuleKind kind) noexcept;

}  // namespace lnk::host
