// SPDX-License-Identifier: Apache-2.0
#include <elf.h>

#include <bit>
#include <climits>
#include <cstring>
#include <optional>

#include "programs/program_head.hpp"

namespace lnk::host {
namespace {

/// The kernel's own: ELF_MIN_ALIGN's page at least, 64 KiB at most.
constexpr std::size_t kTableBytesMax = 65536;

static_assert(std::endian::native == std::endian::little,
              "read_elf_head reads what this machine runs, which is little-endian");

template <class T>
std::optional<T> read_as(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// One class of ELF files: what is read of them has the same names in both.
template <class Header, class Segment>
Result<ProgramHead> read_class(std::string_view head, const ReadAt& read) {
  ProgramHead program;
  program.kind = ProgramKind::Elf;
  const auto header = read_as<Header>(head, 0);
  if (!header) return fail(Code::Invalid, "it ends within its ELF header");
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
    return fail(Code::Invalid, "it is an ELF file, and no program");
  const std::size_t size = std::size_t{header->e_phnum} * sizeof(Segment);
  if (header->e_phentsize != sizeof(Segment) || size == 0 || size > kTableBytesMax)
    return fail(Code::Invalid, "its program headers are not ones that the kernel takes");
  LNK_TRY(const auto table, read(header->e_phoff, size));
  for (std::size_t at = 0; at < size; at += sizeof(Segment)) {
    const auto segment = read_as<Segment>(table, at);
    if (!segment) return fail(Code::Invalid, "its program headers pass its end");
    if (segment->p_type != PT_INTERP) continue;
    // The first one alone counts; its name ends with a NUL.
    if (segment->p_filesz < 2 || segment->p_filesz > PATH_MAX)
      return fail(Code::Invalid, "the name of its loader has an odd length");
    LNK_TRY(const auto name, read(segment->p_offset, static_cast<std::size_t>(segment->p_filesz)));
    if (name.size() != segment->p_filesz || name.back() != '\0')
      return fail(Code::Invalid, "the name of its loader passes its end");
    program.loader = name.c_str();
    if (program.loader.empty()) return fail(Code::Invalid, "the name of its loader is empty");
    return program;
  }
  return program;
}

}  // namespace

Result<ProgramHead> read_elf_head(std::string_view head, const ReadAt& read) {
  if (head.size() < EI_NIDENT) return fail(Code::Invalid, "it ends within its ELF header");
  if (head[EI_DATA] != ELFDATA2LSB) return fail(Code::Invalid, "it is made for a machine of the other byte order");
  if (head[EI_CLASS] == ELFCLASS64) return read_class<Elf64_Ehdr, Elf64_Phdr>(head, read);
  if (head[EI_CLASS] == ELFCLASS32) return read_class<Elf32_Ehdr, Elf32_Phdr>(head, read);
  return fail(Code::Invalid, "its ELF class is unknown");
}

}  // namespace lnk::host
