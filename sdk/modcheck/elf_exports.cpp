// SPDX-License-Identifier: Apache-2.0
#include "elf_exports.hpp"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace lnk::modcheck {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kSectionsMax = 1024;
constexpr std::size_t kSymbolsMax = 1'000'000;

template <class T>
std::optional<T> read_at(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

std::optional<Elf64_Shdr> section(Bytes file, const Elf64_Ehdr& header, std::uint64_t number) {
  if (number >= header.e_shnum || header.e_shoff > file.size()) return std::nullopt;
  return read_at<Elf64_Shdr>(file, header.e_shoff + number * sizeof(Elf64_Shdr));
}

bool is_export(const Elf64_Sym& symbol) {
  const unsigned bind = ELF64_ST_BIND(symbol.st_info);
  const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS && bind != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

std::string name_at(Bytes texts, std::uint32_t offset) {
  if (offset >= texts.size()) return "?";
  const std::string_view rest(reinterpret_cast<const char*>(texts.data()) + offset, texts.size() - offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

}  // namespace

Result<std::vector<std::string>> read_exports(Bytes file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return fail(Code::Invalid, "no 64-bit ELF file");
  if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum == 0 || header->e_shnum > kSectionsMax)
    return fail(Code::Invalid, "no section headers, by which its exports could be told");
  for (std::uint64_t number = 0; number < header->e_shnum; ++number) {
    const auto table = section(file, *header, number);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto strings = section(file, *header, table->sh_link);
    const auto symbols = slice(file, table->sh_offset, table->sh_size);
    const auto texts = strings ? slice(file, strings->sh_offset, strings->sh_size) : std::nullopt;
    if (!symbols || !texts || symbols->size() / sizeof(Elf64_Sym) > kSymbolsMax)
      return fail(Code::Invalid, "a symbol table that passes its end");
    std::vector<std::string> names;
    for (std::uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(*symbols, at); at += sizeof(Elf64_Sym)) {
      if (is_export(*symbol)) names.push_back(name_at(*texts, symbol->st_name));
    }
    return names;
  }
  return fail(Code::Invalid, "no dynamic symbol table");
}

}  // namespace lnk::modcheck
