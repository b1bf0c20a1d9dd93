// SPDX-License-Identifier: Apache-2.0
#include "modules/note.hpp"

#include <elf.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fixtures.hpp"

using lnk::host::read_note;

namespace {

std::vector<std::byte> read_fixture(std::string_view name) {
  std::ifstream file(lnk::test::fixture(name), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string words(const std::vector<std::byte>& file) {
  const auto note = read_note(file);
  return note ? std::string("read") : note.error().text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(note)

BOOST_AUTO_TEST_CASE(a_schema_stands_in_a_note_of_its_own_and_may_be_missing) {
  BOOST_TEST(lnk::host::read_schema_note(read_fixture("other_schema")).value() == R"({"type":"object"})");
  BOOST_TEST(lnk::host::read_schema_note(read_fixture("good")).value().empty());
  BOOST_TEST(!lnk::host::read_schema_note(read_fixture("two_schemas")).has_value());
  // Its being there changes nothing of the other.
  BOOST_TEST(read_note(read_fixture("other_schema"))->id == "verb-fixture");
}

BOOST_AUTO_TEST_CASE(a_sound_note_is_read_whole) {
  const auto note = read_note(read_fixture("needs_much"));
  BOOST_TEST_REQUIRE(note.has_value());
  BOOST_TEST(note->id == "verb-fixture");
  BOOST_TEST(note->needs == "fixture.moon>=2");
  BOOST_TEST(note->uses.empty());
}

BOOST_AUTO_TEST_CASE(a_note_made_by_the_class_layer_reads_as_one_made_in_c) {
  const auto note = read_note(read_fixture("create_throws"));
  BOOST_TEST_REQUIRE(note.has_value());
  BOOST_TEST(note->id == "verb-fixture");
  BOOST_TEST(note->needs.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_library_of_this_machine_is_refused_in_words) {
  const auto good = read_fixture("good");
  BOOST_TEST_REQUIRE(good.size() > sizeof(Elf64_Ehdr));
  BOOST_TEST(words({}) == "it is no ELF file, which a shared library is");

  auto file = good;
  file[EI_CLASS] = std::byte{ELFCLASS32};
  BOOST_TEST(words(file) == "it is a 32-bit library; this host loads 64-bit ones");
  file = good;
  file[EI_DATA] = std::byte{ELFDATA2MSB};
  BOOST_TEST(words(file) == "it is of the other byte order; this host loads little-endian libraries");
  file = good;
  file[offsetof(Elf64_Ehdr, e_type)] = std::byte{ET_EXEC};
  BOOST_TEST(words(file) == "it is an ELF file of type 2, and no shared library");
  file = good;
  file[offsetof(Elf64_Ehdr, e_machine)] = std::byte{EM_S390};
  BOOST_TEST(words(file).find("it is made for machine 22") == 0);
  file = good;
  file[offsetof(Elf64_Ehdr, e_phnum)] = std::byte{200};
  BOOST_TEST(words(file) == "it has 200 program headers; at most 64 are read");
  file = good;
  file[offsetof(Elf64_Ehdr, e_phoff) + 7] = std::byte{0xFF};
  BOOST_TEST(words(file) == "its program headers pass its end");
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_module_is_read_or_refused) {
  const auto good = read_fixture("good");
  for (std::size_t size = 0; size < std::min<std::size_t>(good.size(), 4096); ++size) {
    const auto note = read_note(std::span(good).first(size));
    if (note) BOOST_TEST(note->id == "verb-fixture");
  }
}

BOOST_AUTO_TEST_CASE(every_byte_set_to_its_ends_is_read_or_refused) {
  const auto good = read_fixture("good");
  for (std::size_t at = 0; at < std::min<std::size_t>(good.size(), 1024); ++at) {
    for (const int value : {0x00, 0x7F, 0xFF}) {
      auto file = good;
      file[at] = std::byte(value);
      const auto note = read_note(file);
      if (note) BOOST_TEST(lnk::host::is_module_id(note->id));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_id_is_a_plain_word) {
  for (const char* id : {"os-linux", "verb-secret", "a", "9"}) BOOST_TEST(lnk::host::is_module_id(id));
  for (const char* id : {"", "-a", "A", "a_b", "a/b", "a.so", "..", "\xC3\xA4"})
    BOOST_TEST(!lnk::host::is_module_id(id));
  BOOST_TEST(!lnk::host::is_module_id(std::string(65, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()
