// SPDX-License-Identifier: Apache-2.0
#include "programs/program_head.hpp"

#include <elf.h>

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "programs/interpreters.hpp"
#include "programs/program_file.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace lnk::host;

ReadAt reader_of(const std::string& file) {
  return [&file](std::uint64_t offset, std::size_t size) -> lnk::Result<std::string> {
    return offset > file.size() ? std::string() : file.substr(static_cast<std::size_t>(offset), size);
  };
}

lnk::Result<ProgramHead> head_of(const std::string& file) { return read_program_head(reader_of(file)); }

template <class Header, class Segment>
std::string elf_file(unsigned char elf_class, const std::string& loader, std::size_t loader_at = 4096) {
  Header header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = elf_class;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_phoff = 1000;
  header.e_phentsize = sizeof(Segment);
  header.e_phnum = 2;
  Segment segments[2] = {};
  segments[0].p_type = PT_LOAD;
  segments[1].p_type = PT_INTERP;
  segments[1].p_offset = static_cast<decltype(segments[1].p_offset)>(loader_at);
  segments[1].p_filesz = static_cast<decltype(segments[1].p_filesz)>(loader.size());
  std::string file(loader_at + loader.size(), '\0');
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + 1000, segments, sizeof segments);
  std::memcpy(file.data() + loader_at, loader.data(), loader.size());
  return file;
}

std::string elf64(const std::string& loader) { return elf_file<Elf64_Ehdr, Elf64_Phdr>(ELFCLASS64, loader); }

std::string with(std::string file, std::size_t at, const std::string& bytes) {
  return file.replace(at, bytes.size(), bytes);
}

void refuses(const std::string& file, const std::string& words) {
  const auto head = head_of(file);
  BOOST_REQUIRE(!head.has_value());
  BOOST_TEST(head.error().text.find(words) != std::string::npos, head.error().text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_head)

BOOST_AUTO_TEST_CASE(the_loader_of_both_classes_is_read_wherever_it_stands) {
  const std::string loader("/lib64/ld.so\0", 13);
  BOOST_TEST(head_of(elf64(loader))->loader == "/lib64/ld.so");
  BOOST_TEST((head_of(elf_file<Elf32_Ehdr, Elf32_Phdr>(ELFCLASS32, loader))->loader == "/lib64/ld.so"));
  BOOST_TEST((head_of(elf_file<Elf64_Ehdr, Elf64_Phdr>(ELFCLASS64, loader, 300000))->loader == "/lib64/ld.so"));
  auto plain = elf64(loader);
  const std::uint32_t kNote = PT_NOTE;
  plain = with(plain, 1000 + sizeof(Elf64_Phdr), std::string(reinterpret_cast<const char*>(&kNote), sizeof kNote));
  BOOST_TEST(head_of(plain)->loader.empty());
  BOOST_TEST((head_of(plain)->kind == ProgramKind::Elf));
}

BOOST_AUTO_TEST_CASE(an_elf_file_that_the_kernel_would_not_run_is_refused) {
  const std::string loader("/lib/ld.so\0", 11);
  const auto file = elf64(loader);
  refuses(file.substr(0, 40), "ends within its ELF header");
  refuses(file.substr(0, 10), "ends within its ELF header");
  refuses(file.substr(0, 1010), "pass its end");
  refuses(file.substr(0, file.size() - 1), "passes its end");
  refuses(elf64("/lib/ld.so"), "passes its end");
  refuses(elf64(std::string(1, '\0')), "odd length");
  refuses(elf64(std::string(PATH_MAX + 1, 'x')), "odd length");
  refuses(elf64(std::string(2, '\0')), "is empty");
  refuses(with(file, EI_DATA, std::string(1, ELFDATA2MSB)), "other byte order");
  refuses(with(file, EI_CLASS, std::string(1, 7)), "class is unknown");
  refuses(with(file, offsetof(Elf64_Ehdr, e_phentsize), "\x10"), "not ones that the kernel takes");
  refuses(with(file, offsetof(Elf64_Ehdr, e_phnum), std::string(2, '\xff')), "not ones that the kernel takes");
  refuses(with(file, offsetof(Elf64_Ehdr, e_phoff), std::string(8, '\xff')), "pass its end");
  refuses(with(file, offsetof(Elf64_Ehdr, e_type), std::string(1, ET_REL)), "no program");
}

BOOST_AUTO_TEST_CASE(a_first_line_is_read_as_the_kernel_reads_it) {
  const std::tuple<std::string, std::string, std::string> lines[] = {
      {"#!/bin/sh\necho", "/bin/sh", ""},
      {"#! \t/bin/sh \t\necho", "/bin/sh", ""},
      {"#!/usr/bin/env python3 -u \nx", "/usr/bin/env", "python3 -u"},
      {"#!/bin/sh\t-e\n", "/bin/sh", "-e"},
      {"#!/bin/sh", "/bin/sh", ""},
      {"#!/bin/sh\r\n", "/bin/sh\r", ""},
      {std::string("#!/bin/sh\0-e\n", 13), "/bin/sh", ""},
      {"#!python\n", "python", ""},
      {"#!/" + std::string(252, 'a') + "\nx", "/" + std::string(252, 'a'), ""},
  };
  for (const auto& [line, interpreter, argument] : lines) {
    const auto head = head_of(line);
    BOOST_REQUIRE(head.has_value());
    BOOST_TEST((head->kind == ProgramKind::Script));
    BOOST_TEST(head->interpreter == interpreter);
    BOOST_TEST(head->argument == argument);
  }
  refuses("#!/" + std::string(253, 'a') + "\nx", "longer than the 255 bytes");
  refuses("#!/bin/sh " + std::string(300, 'a') + "\nx", "longer than the 255 bytes");
  refuses("#!\n/bin/sh", "names no interpreter");
  refuses("#! \t", "names no interpreter");
}

BOOST_AUTO_TEST_CASE(what_is_neither_is_told_so) {
  for (const std::string file : {"", "#", "echo hi\n",
                                 "\x7f"
                                 "EL",
                                 " #!/bin/sh\n"})
    BOOST_TEST((head_of(file)->kind == ProgramKind::Other));
}

BOOST_AUTO_TEST_CASE(the_program_of_env_is_the_one_it_looks_up) {
  const std::pair<std::string, std::string> arguments[] = {
      {"python3", "python3"},
      {"-S python3 -u", "python3"},
      {"-Spython3", "python3"},
      {"--split-string=node --x", "node"},
      {"-S A=1 -u HOME perl", "perl"},
      {"-S -i ruby", "ruby"},
      {"-S", ""},
      {"", ""},
      {"-i", ""},
      {"A=1", ""},
      {"-S \"my python\" x", ""},
      {"-S ${P}", ""},
      {"python3 -u", "python3 -u"},
  };
  for (const auto& [argument, program] : arguments) BOOST_TEST(program_of_env(argument) == program, argument);
}

BOOST_AUTO_TEST_CASE(interpreters_are_known_by_name_and_version) {
  for (const auto* name :
       {"/usr/bin/sh", "python3", "python3.11", "/opt/x/node", "lua5.4", "php-8.2", "perl5.36.0", "busybox"})
    BOOST_TEST(is_interpreter(name), name);
  for (const auto* name : {"/usr/bin/git", "shred", "python3-config", "nodemon", "", "/bin/sh/", "cat"})
    BOOST_TEST(!is_interpreter(name), name);
}

BOOST_AUTO_TEST_CASE(a_file_of_this_machine_is_read) {
  const TemporaryFolder folder;
  BOOST_TEST(read_program_file("/proc/self/exe").has_value() == false);  // a link
  const auto self = std::filesystem::read_symlink("/proc/self/exe").native();
  BOOST_TEST(read_program_file(self)->loader.starts_with("/lib"));
  BOOST_TEST(!read_program_file(folder / "none").has_value());
  BOOST_TEST((read_program_file(folder.file("empty", ""))->kind == ProgramKind::Other));
}

BOOST_AUTO_TEST_SUITE_END()
