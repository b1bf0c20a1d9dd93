// SPDX-License-Identifier: Apache-2.0
#include "modules/elf_notes.hpp"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string>

namespace lnk::host {

namespace {

constexpr std::size_t kSegmentsMax = 64;            // a linker makes about a dozen
constexpr std::size_t kNoteSegmentMax = 64 * 1024;  // ours are 33 KiB at most, and beside them stand a build id and the like
constexpr std::size_t kNotesMax = 256;              // notes read of one file

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#else
#error "name this machine's EM_ number"
#endif

/// A struct of the file at an offset; none where it would pass the end.
template <class T>
std::optional<T> read_at(Bytes file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::optional<Bytes> slice(Bytes file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return std::nullopt;
  return file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Result<Elf64_Ehdr> read_header(Bytes file) {
  if (file.size() < EI_NIDENT || text_of(file.first(SELFMAG)) != ELFMAG)
    return fail(Code::Invalid, "it is no ELF file, which a shared library is");
  if (std::to_integer<int>(file[EI_CLASS]) == ELFCLASS32)
    return fail(Code::Unsupported, "it is a 32-bit library; this host loads 64-bit ones");
  if (std::to_integer<int>(file[EI_CLASS]) != ELFCLASS64) return fail(Code::Invalid, "its ELF class is unknown");
  if (std::to_integer<int>(file[EI_DATA]) != ELFDATA2LSB)
    return fail(Code::Unsupported, "it is of the other byte order; this host loads little-endian libraries");
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header) return fail(Code::Invalid, "it ends within its ELF header");
  if (header->e_type != ET_DYN)
    return fail(Code::Invalid,
                "it is an ELF file of type " + std::to_string(header->e_type) + ", and no shared library");
  if (header->e_machine != kMachine)
    return fail(Code::Unsupported, "it is made for machine " + std::to_string(header->e_machine) + "; this one is " +
                                       std::to_string(kMachine) + " (ELF's numbers)");
  if (header->e_phentsize != sizeof(Elf64_Phdr)) return fail(Code::Invalid, "its program headers have an odd size");
  if (header->e_phnum > kSegmentsMax)
    return fail(Code::Invalid, "it has " + std::to_string(header->e_phnum) + " program headers; at most " +
                                   std::to_string(kSegmentsMax) + " are read");
  return *header;
}

constexpr std::uint64_t padded(std::uint64_t size, std::uint64_t align) noexcept {
  return (size + align - 1) / align * align;
}

/// Appends the notes of one segment. A tail too short for a note's head is padding.
Status read_segment(Bytes segment, std::uint64_t align, std::vector<ElfNote>& notes) {
  std::uint64_t at = 0;
  while (const auto head = read_at<Elf64_Nhdr>(segment, at)) {
    if (notes.size() == kNotesMax)
      return fail(Code::Invalid, "it has more than " + std::to_string(kNotesMax) + " notes");
    const std::uint64_t owner_at = at + sizeof *head;
    const std::uint64_t description_at = owner_at + padded(head->n_namesz, align);
    const auto owner = slice(segment, owner_at, head->n_namesz);
    const auto description = slice(segment, description_at, head->n_descsz);
    if (!owner || !description) return fail(Code::Invalid, "a note passes the end of its segment");
    std::string_view name = text_of(*owner);
    if (!name.empty() && name.back() == '\0') name.remove_suffix(1);
    notes.push_back({name, head->n_type, *description});
    at = description_at + padded(head->n_descsz, align);
  }
  return {};
}

}  // namespace

Result<std::vector<ElfNote>> read_elf_notes(Bytes file) {
  LNK_TRY(const Elf64_Ehdr header, read_header(file));
  std::vector<ElfNote> notes;
  for (std::uint64_t number = 0; number < header.e_phnum; ++number) {
    const std::uint64_t table_size = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
    const auto table = slice(file, header.e_phoff, table_size);
    if (!table) return fail(Code::Invalid, "its program headers pass its end");
    const auto segment = read_at<Elf64_Phdr>(*table, number * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_NOTE) continue;
    const auto bytes = slice(file, segment->p_offset, segment->p_filesz);
    if (!bytes) return fail(Code::Invalid, "a note segment passes its end");
    if (bytes->size() > kNoteSegmentMax)
      return fail(Code::Invalid, "a note segment has " + std::to_string(bytes->size()) + " bytes; at most " +
                                     std::to_string(kNoteSegmentMax) + " are read");
    // Notes are padded to 4 bytes also in 64-bit files; a segment aligned to 8 pads to 8 (GNU property notes).
    LNK_CHECK(read_segment(*bytes, segment->p_align == 8 ? 8 : 4, notes));
  }
  return notes;
}

}  // namespace lnk::host
