// SPDX-License-Identifier: Apache-2.0
//
// The reader of a module's note: whatever the file, it reads inside it; a note that is accepted stands in the file as
// it was read.
#include "modules/note.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "entry.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto schema = host::read_schema_note(std::as_bytes(std::span(input.data(), input.size())));
  if (schema) LNK_HOLDS(schema->size() <= LNK_NOTE_SCHEMA_MAX && input.find(*schema) != std::string_view::npos);
  const auto note = host::read_note(std::as_bytes(std::span(input.data(), input.size())));
  if (!note) {
    LNK_HOLDS(!note.error().text.empty());
    return;
  }
  LNK_HOLDS(
      input.starts_with("\x7f"
                        "ELF"));
  LNK_HOLDS(note->sdk_major == LNK_SDK_MAJOR && note->sdk_minor <= LNK_SDK_MINOR);
  LNK_HOLDS(host::is_module_id(note->id) && note->id.size() <= 64);
  LNK_HOLDS(note->id.find_first_of("/. ") == std::string::npos);
  LNK_HOLDS(note->kind == host::ModuleKind::Os || note->kind == host::ModuleKind::Verb);
  LNK_HOLDS(note->needs.size() <= LNK_NOTE_TEXT_MAX && note->uses.size() <= LNK_NOTE_TEXT_MAX);
  LNK_HOLDS(input.find(note->id + note->needs + note->uses) != std::string_view::npos);
  const std::string_view owner(LNK_NOTE_OWNER, sizeof LNK_NOTE_OWNER);
  LNK_HOLDS(input.find(owner) != std::string_view::npos || input.find(LNK_NOTE_OWNER) != std::string_view::npos);
}

}  // namespace lnk::fuzz
