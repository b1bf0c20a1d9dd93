// SPDX-License-Identifier: Apache-2.0
//
// Each broken module is refused with words of its own, and the sound one beside it loads.
#include <sys/stat.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

#include "digest/sha256.hpp"
#include "fixtures.hpp"
#include "lnk/abi/verb.h"
#include "modules/instance.hpp"
#include "modules/module.hpp"
#include "temporary_folder.hpp"

using lnk::Code;
using lnk::host::Instance;
using lnk::host::MachineCapability;
using lnk::host::Module;
using lnk::test::fixture;
using lnk::test::TemporaryFolder;

namespace {

struct Refusal {
  const char* name;
  Code code;
  const char* words;
};
std::ostream& operator<<(std::ostream& out, const Refusal& refusal) { return out << refusal.name; }

const Refusal kRefusedByLoad[] = {
    {"no_symbol", Code::Invalid, "exports no symbol lnk_module_v1"},
    {"other_major", Code::Unsupported, "made for SDK 2.0; this host loads modules of SDK major 1"},
    {"newer_minor", Code::Unsupported, "made for SDK 1.7, newer than this host's 1.0"},
    {"short_table", Code::Invalid, "its table has 40 bytes; that of SDK 1.0 has"},
    {"other_table_major", Code::Invalid, "its table is of SDK 2.0, and its note says 1.0"},
    {"null_create", Code::Invalid, "its table has no function create"},
    {"other_id", Code::Invalid, "its table's id is 'verb-stranger', and its note says 'verb-fixture'"},
    {"no_note", Code::Invalid, "it has no note of owner 'lnk', so it is no module"},
    {"two_notes", Code::Invalid, "it has two notes of owner 'lnk'"},
    {"bad_note", Code::Invalid, "its note has 16 bytes and names 212"},
    {"large_note", Code::Invalid, "its note is too large: 4012 bytes"},
    {"unknown_kind", Code::Unsupported, "its note names the unknown kind 9"},
    {"bad_requires", Code::Invalid, "requires 'fixture.moon => 2', which is no list of capabilities"},
    {"unresolved", Code::Invalid, "undefined symbol: fixture_of_nowhere"},
};

const Refusal kRefusedByCreate[] = {
    {"create_fails", Code::Denied, "module 'verb-fixture': create failed: the moon is not full"},
    {"create_makes_nothing", Code::Internal, "create says that it went well, and made nothing"},
    {"create_throws", Code::Internal, "create failed: thrown by create"},
    {"config_refused", Code::Invalid, "its configuration is refused: no key is right"},
};

bool has_words(const lnk::Error& error, std::string_view words) {
  const bool found = error.text.find(words) != std::string::npos;
  if (!found) BOOST_TEST_MESSAGE("found instead: " << error.text);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loader)

BOOST_AUTO_TEST_CASE(a_sound_module_loads_and_makes_two_instances) {
  const auto module = Module::load(fixture("good"));
  BOOST_TEST_REQUIRE(module.has_value());
  BOOST_TEST(module->id() == "verb-fixture");
  BOOST_TEST(module->version() == "1.0.0");
  BOOST_TEST(module->note().sdk_major == 1);
  BOOST_TEST(bool(module->note().kind == lnk::host::ModuleKind::Verb));
  const auto one = Instance::create(*module);
  const auto two = Instance::create(*module);
  BOOST_TEST_REQUIRE((one.has_value() && two.has_value()));
  BOOST_TEST(one->get() != two->get());
  BOOST_TEST(one->query<lnk_verb>(LNK_VERB_ID, LNK_VERB_MAJOR) != nullptr);
  BOOST_TEST(one->query<lnk_verb>(LNK_VERB_ID, 2) == nullptr);
  BOOST_TEST(one->query<lnk_verb>("lnk.stranger", 1) == nullptr);
}

BOOST_DATA_TEST_CASE(load_refuses_each_broken_module_in_its_own_words, boost::unit_test::data::make(kRefusedByLoad)) {
  const auto module = Module::load(fixture(sample.name));
  BOOST_TEST_REQUIRE(!module.has_value());
  BOOST_TEST(has_words(module.error(), sample.words));
  BOOST_TEST(has_words(module.error(), fixture(sample.name).string()));
  BOOST_TEST(bool(module.error().code == sample.code));
  BOOST_TEST(Module::load(fixture("good")).has_value());
}

BOOST_DATA_TEST_CASE(create_refuses_each_broken_module_in_its_own_words,
                     boost::unit_test::data::make(kRefusedByCreate)) {
  const auto module = Module::load(fixture(sample.name));
  BOOST_TEST_REQUIRE(module.has_value());
  const auto instance = Instance::create(*module);
  BOOST_TEST_REQUIRE(!instance.has_value());
  BOOST_TEST(has_words(instance.error(), sample.words));
  BOOST_TEST(bool(instance.error().code == sample.code));
}

BOOST_AUTO_TEST_CASE(a_module_that_throws_at_one_configuration_takes_another) {
  const auto module = Module::load(fixture("create_throws"));
  BOOST_TEST_REQUIRE(module.has_value());
  BOOST_TEST(Instance::create(*module, {"{\"sound\":true}", {}}).has_value());
}

BOOST_AUTO_TEST_CASE(a_status_of_the_modules_own_making_and_a_false_length_are_not_believed) {
  const auto module = Module::load(fixture("fails_without_words"));
  BOOST_TEST_REQUIRE(module.has_value());
  const auto instance = Instance::create(*module);
  BOOST_TEST_REQUIRE(!instance.has_value());
  BOOST_TEST(bool(instance.error().code == Code::Internal));
  BOOST_TEST(instance.error().text.size() < 1024);
}

BOOST_AUTO_TEST_CASE(a_file_named_unlike_its_note_is_refused) {
  const auto module = Module::load(fixture("other_name", "verb-other.so"));
  BOOST_TEST_REQUIRE(!module.has_value());
  BOOST_TEST(has_words(module.error(), "its note says 'verb-fixture', so its file must be named verb-fixture.so"));
}

BOOST_AUTO_TEST_CASE(an_interface_that_is_missing_or_short_is_told_apart) {
  const auto missing = Module::load(fixture("no_verb_table"));
  const auto brief = Module::load(fixture("short_verb_table"));
  BOOST_TEST_REQUIRE((missing.has_value() && brief.has_value()));
  const auto one = Instance::create(*missing);
  const auto two = Instance::create(*brief);
  BOOST_TEST_REQUIRE((one.has_value() && two.has_value()));
  const auto none = one->require<lnk_verb>(LNK_VERB_ID, LNK_VERB_MAJOR);
  const auto cut = two->require<lnk_verb>(LNK_VERB_ID, LNK_VERB_MAJOR);
  BOOST_TEST_REQUIRE((!none.has_value() && !cut.has_value()));
  BOOST_TEST(has_words(none.error(), "module 'verb-fixture' has no table lnk.verb/1"));
  BOOST_TEST(has_words(cut.error(), "its table lnk.verb/1 has 8 bytes"));
  BOOST_TEST(two->query<lnk_verb>(LNK_VERB_ID, LNK_VERB_MAJOR) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_module_that_requires_what_the_machine_has_not_is_not_loaded) {
  const std::vector<MachineCapability> poor{{"fixture.moon", LNK_SUPPORTED, 1, 0, "seen", ""}};
  const std::vector<MachineCapability> rich{{"fixture.moon", LNK_SUPPORTED, 2, 0, "seen", ""}};
  const auto refused = Module::load(fixture("needs_much"), {"", "", poor});
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(has_words(refused.error(), "it needs fixture.moon>=2; found supported, level 1"));
  BOOST_TEST(Module::load(fixture("needs_much"), {"", "", rich}).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_the_one_of_the_snapshot_is_refused) {
  const auto hash = lnk::host::sha256_file(fixture("good"));
  BOOST_TEST_REQUIRE(hash.has_value());
  const auto module = Module::load(fixture("good"), {*hash, "", {}});
  BOOST_TEST_REQUIRE(module.has_value());
  const std::string other(64, '0');
  const auto refused = Module::load(fixture("good"), {other, "", {}});
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(has_words(refused.error(), "another file than the snapshot holds: its SHA-256 is " + *hash));
  // A stamp stands for the hash only where it is this file's.
  BOOST_TEST(Module::load(fixture("good"), {*hash, module->stamp(), {}}).has_value());
  BOOST_TEST(!Module::load(fixture("good"), {other, "1:2:3:4.5:6.7", {}}).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_or_a_folder_above_it_that_others_may_write_is_refused) {
  const TemporaryFolder folder;
  const auto dir = folder.path() / "modules";
  std::filesystem::create_directory(dir);
  const auto file = dir / "verb-fixture.so";
  std::filesystem::copy_file(fixture("good"), file);
  BOOST_TEST_REQUIRE(::chmod(file.c_str(), 0644) == 0);
  BOOST_TEST(Module::load(file).has_value());

  BOOST_TEST_REQUIRE(::chmod(file.c_str(), 0666) == 0);
  auto refused = Module::load(file);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(has_words(refused.error(), "'" + file.string() + "' may be written by others (mode 0666): chmod go-w"));

  BOOST_TEST_REQUIRE(::chmod(file.c_str(), 0644) == 0);
  BOOST_TEST_REQUIRE(::chmod(dir.c_str(), 0777) == 0);
  refused = Module::load(file);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(has_words(refused.error(), "'" + dir.string() + "' may be written by others (mode 0777)"));

  BOOST_TEST_REQUIRE(::chmod(dir.c_str(), 01777) == 0);
  BOOST_TEST(Module::load(file).has_value());
}

BOOST_AUTO_TEST_CASE(a_link_is_refused_and_what_it_leads_to_is_not) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "verb-fixture.so";
  std::filesystem::create_symlink(fixture("good"), link);
  const auto refused = Module::load(link);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(has_words(refused.error(), "is a link, which is not followed"));
  BOOST_TEST(Module::load(std::filesystem::canonical(link)).has_value());
}

BOOST_AUTO_TEST_CASE(a_relative_path_a_missing_file_and_a_folder_are_refused) {
  BOOST_TEST(has_words(Module::load("verb-fixture.so").error(), "is not absolute"));
  BOOST_TEST(has_words(Module::load(fixture("good", "verb-none.so")).error(), "No such file or directory"));
  BOOST_TEST(has_words(Module::load(fixture("good").parent_path()).error(), "is no regular file"));
  BOOST_TEST(has_words(Module::load(fixture("good").parent_path() / ".." / "x.so").error(), "holds '..'"));
}

BOOST_AUTO_TEST_SUITE_END()
