// SPDX-License-Identifier: Apache-2.0
#include "modules/note.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "modules/elf_notes.hpp"

namespace lnk::host {

namespace {

constexpr std::size_t kIdMax = 64;  // a file's name, and a word in every message
constexpr std::size_t kDescriptionMax = sizeof(lnk_note_head) + std::size_t{3} * LNK_NOTE_TEXT_MAX;

std::string version_text(unsigned major, unsigned minor) { return std::to_string(major) + "." + std::to_string(minor); }

/// The one note of ours that has this type; none: there is none. errors: Invalid where it has another of it.
Result<std::optional<Bytes>> find_note(Bytes file, std::uint32_t type) {
  LNK_TRY(const std::vector<ElfNote> notes, read_elf_notes(file));
  std::optional<Bytes> ours;
  for (const ElfNote& note : notes) {
    if (note.owner != LNK_NOTE_OWNER || note.type != type) continue;
    if (ours) return fail(Code::Invalid, "it has two notes of owner 'lnk' and type " + std::to_string(type) + "; a module has one");
    ours = note.description;
  }
  return ours;
}

/// errors: Invalid where there is none, or another.
Result<Bytes> find_description(Bytes file) {
  LNK_TRY(const auto ours, find_note(file, LNK_NOTE_TYPE));
  if (!ours) return fail(Code::Invalid, "it has no note of owner 'lnk', so it is no module");
  return *ours;
}

/// Told before the note's texts are read: another version may lay them out otherwise.
Status check_version(const lnk_note_head& head) {
  if (head.sdk_major != LNK_SDK_MAJOR)
    return fail(Code::Unsupported, "it is made for SDK " + version_text(head.sdk_major, head.sdk_minor) +
                                       "; this host loads modules of SDK major " + std::to_string(LNK_SDK_MAJOR));
  if (head.sdk_minor > LNK_SDK_MINOR)
    return fail(Code::Unsupported, "it is made for SDK " + version_text(head.sdk_major, head.sdk_minor) +
                                       ", newer than this host's " + version_text(LNK_SDK_MAJOR, LNK_SDK_MINOR));
  return {};
}

Status check_sizes(const lnk_note_head& head, std::size_t description_size) {
  const auto longest = std::max({head.id_size, head.requires_size, head.uses_size});
  if (longest > LNK_NOTE_TEXT_MAX)
    return fail(Code::Invalid, "its note is too large: a text of " + std::to_string(longest) + " bytes; at most " +
                                   std::to_string(LNK_NOTE_TEXT_MAX));
  const std::size_t named = sizeof head + head.id_size + head.requires_size + head.uses_size;
  if (named != description_size)
    return fail(Code::Invalid,
                "its note has " + std::to_string(description_size) + " bytes and names " + std::to_string(named));
  return {};
}

bool is_printable(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

bool is_module_id(std::string_view id) noexcept {
  const auto is_letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !id.empty() && id.size() <= kIdMax && is_letter_or_digit(id.front()) &&
         std::all_of(id.begin(), id.end(), [&](char c) { return is_letter_or_digit(c) || c == '-'; });
}

std::string_view kind_word(ModuleKind kind) noexcept { return kind == ModuleKind::Os ? "os" : "verb"; }

Result<Note> read_note(std::span<const std::byte> file) {
  LNK_TRY(const Bytes description, find_description(file));
  if (description.size() > kDescriptionMax)
    return fail(Code::Invalid, "its note is too large: " + std::to_string(description.size()) + " bytes; at most " +
                                   std::to_string(kDescriptionMax));
  lnk_note_head head{};
  if (description.size() < sizeof head)
    return fail(Code::Invalid, "its note has " + std::to_string(description.size()) + " bytes; its head alone has " +
                                   std::to_string(sizeof head));
  std::memcpy(&head, description.data(), sizeof head);
  LNK_CHECK(check_version(head));
  LNK_CHECK(check_sizes(head, description.size()));
  if (head.kind != LNK_KIND_OS && head.kind != LNK_KIND_VERB)
    return fail(Code::Unsupported, "its note names the unknown kind " + std::to_string(head.kind));

  const std::string_view texts(reinterpret_cast<const char*>(description.data()) + sizeof head,
                               description.size() - sizeof head);
  if (!is_printable(texts)) return fail(Code::Invalid, "its note holds bytes that are no plain text");
  const std::string_view id = texts.substr(0, head.id_size);
  if (!is_module_id(id))
    return fail(Code::Invalid,
                "its note's id '" + std::string(id) + "' is none: a-z, 0-9 and '-', at most " + std::to_string(kIdMax));
  return Note{head.sdk_major,
              head.sdk_minor,
              static_cast<ModuleKind>(head.kind),
              std::string(id),
              std::string(texts.substr(head.id_size, head.requires_size)),
              std::string(texts.substr(std::size_t{head.id_size} + head.requires_size))};
}

Result<std::string> read_schema_note(std::span<const std::byte> file) {
  LNK_TRY(const auto found, find_note(file, LNK_NOTE_SCHEMA_TYPE));
  if (!found) return std::string();
  if (found->size() > LNK_NOTE_SCHEMA_MAX)
    return fail(Code::Limit, "its schema has " + std::to_string(found->size()) + " bytes; at most " +
                                 std::to_string(LNK_NOTE_SCHEMA_MAX) + " are read");
  if (found->empty()) return fail(Code::Invalid, "its schema note is empty");
  return std::string(reinterpret_cast<const char*>(found->data()), found->size());
}

}  // namespace lnk::host
