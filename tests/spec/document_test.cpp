// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "errors_of.hpp"
#include "spec/toml_tree.hpp"

using lnk::test::errors_of;
using lnk::test::Twin;

BOOST_AUTO_TEST_SUITE(document)

BOOST_AUTO_TEST_CASE(an_empty_spec_grants_nothing) {
  const auto result = lnk::host::parse_spec("", "a.toml");
  BOOST_REQUIRE(result.ok());
  BOOST_TEST(result.spec.files.read.empty());
  BOOST_TEST(result.spec.network.hosts.empty());
  BOOST_TEST(!result.spec.network.direct.value);
  BOOST_TEST(!result.spec.commands.has_value());
}

BOOST_AUTO_TEST_CASE(unknown_tables_and_keys_are_refused_with_the_nearest_name) {
  const Twin twins[] = {
      {"[file]", "1:2: unknown table \"file\"; did you mean \"files\"?", "[files]"},
      {"[Files]", "1:2: unknown table \"Files\"; did you mean \"files\"?", "[files]"},
      {"[netwrok]", "1:2: unknown table \"netwrok\"; did you mean \"network\"?", "[network]"},
      {"[something]", "1:2: unknown table \"something\"", "[tools]"},
      {"nmae = \"a\"", "1:1: unknown key \"nmae\"; did you mean \"name\"?", "name = \"a\""},
      {"hosts = [\"a.com\"]", "1:1: unknown key \"hosts\"; it belongs in [network]", "network.hosts = [\"a.com\"]"},
      {"[files]\nraed = []", "2:1: unknown key \"raed\" in [files]; did you mean \"read\"?", "[files]\nread = []"},
      {"[files]\nwrite-dot-files = []",
       "2:1: unknown key \"write-dot-files\" in [files]; did you mean \"write_dot_files\"?",
       "[files]\nwrite_dot_files = []"},
      {"[files]\nhosts = []", "2:1: unknown key \"hosts\" in [files]; it belongs in [network]",
       "[network]\nhosts = []"},
      {"[linux.file]", "1:8: unknown table \"file\" in [linux]; did you mean \"files\"?", "[linux.files]"},
      {"[linux]\nname = \"a\"", "2:1: unknown key \"name\" in [linux]", "[linux]"},
      {"[files.linux]", "1:8: unknown key \"linux\" in [files]", "[linux.files]"},
      {"\"\" = 1", "1:1: unknown key \"\"", ""},
      {"\"a\\u001b[2J\" = 1", "1:1: unknown key \"a\\x1b[2J\"", ""},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(an_escape_is_told_as_it_is_written) {
  BOOST_TEST(errors_of("a = \"x\\q\"").front().find("escape sequence '\\q'") != std::string::npos,
             errors_of("a = \"x\\q\"").front());
  BOOST_TEST(errors_of("a = 1 \x1b").front().find('\x1b') == std::string::npos);
  BOOST_TEST(errors_of("a = '\\q'").front().find("unknown key \"a\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_of_another_type_are_refused) {
  const Twin twins[] = {
      {"files = 1", "1:1: files is a table, written [files], not a number", "files = {}"},
      {"[[files]]", "1:3: files is a table, written [files], not a list", "[files]"},
      {"linux = 1", "1:1: linux holds tables, as in [linux.files]", "linux = {}"},
      {"verb = 1", "1:1: verb holds tables, as in [verb.example]", "verb = {}"},
      {"[verb]\na = 1", "2:1: verb.a is a table, written [verb.a]", "[verb]\na = {}"},
      {"[verb.A]", "1:7: a verb's id is 1 to 40", "[verb.a]"},
      {"[verb.a]\nx = 1979-05-27", "2:5: a module's table takes no dates", "[verb.a]\nx = \"1979-05-27\""},
      {"[verb.a]\nx = [inf]", "2:6: a module's table takes no inf or nan", "[verb.a]\nx = [1.5]"},
      {"[files]\nread = \"~/a\"", "2:8: read is a list, as in read = [\"~/src\"], not a string",
       "[files]\nread = [\"~/a\"]"},
      {"[files]\nread = [1]", "2:9: each entry of read is a string, not a number", "[files]\nread = [\"/1\"]"},
      {"[files]\nread = [[\"/a\"]]", "2:9: each entry of read is a string, not a list", "[files]\nread = [\"/a\"]"},
      {"[network]\ndirect = \"yes\"", "2:10: direct is true or false, not a string", "[network]\ndirect = true"},
      {"[network]\ndirect = 1", "2:10: direct is true or false, not a number", "[network]\ndirect = false"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(every_error_is_shown_in_the_order_of_the_file) {
  const auto errors = errors_of(
      "[network]\nhosts = [\"*.com\", \"ok.com\", \"a/b\"]\n[files]\nread = [\"x\"]\nwrit = []\n[env]\npass=[\"*\"]");
  BOOST_TEST_CONTEXT(lnk::test::joined(errors)) {
    BOOST_REQUIRE(errors.size() == 5U);
    BOOST_TEST(errors[0].starts_with("2:10: \"*.com\""));
    BOOST_TEST(errors[1].starts_with("2:29: \"a/b\""));
    BOOST_TEST(errors[2].starts_with("4:9: \"x\""));
    BOOST_TEST(errors[3].starts_with("5:1: unknown key \"writ\""));
    BOOST_TEST(errors[4].starts_with("7:7: \"*\""));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_toml_is_told_where) {
  for (const std::string_view text : {"[files", "[files]\nread = [\"a\"", "x", "a = 1\na = 2", "[files]\n[files]",
                                      "a = \"\xFF\"", "a = \"\xC0\x80\"", "[("}) {
    const auto errors = errors_of(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(errors.size() == 1U);
      BOOST_TEST(errors.front().find(": this isn't TOML: ") != std::string::npos);
    }
  }
  BOOST_TEST(errors_of("a = 1\nb = \"x").front().starts_with("2:"));
}

BOOST_AUTO_TEST_CASE(other_scripts_stand_in_strings_and_comments_alone) {
  const Twin twins[] = {
      {"[files]\nread = [\"/\xC3\xA9\", \xC3\xA9]", "2:", "[files]\nread = [\"/\xC3\xA9\"] # \xC3\xA9"},
      {"\xCC\xA5 = 1", "1:1: this isn't TOML", "\xEF\xBB\xBFname = 'a'"},
      {"[verb.a]\nx = 07:32:0\xCC\xA5", "2:", "[verb.a]\nx = '''\n\xCC\xA5'''"},
      {"[files]\nread = [5\"/\xC3\xA9\"]", "2:", "[files]\nread = [\"/5\xC3\xA9\"]"},
      {"x = +[\"\xC3\xA9\"]", "1:", "[env]\nset = { A = \"\xC3\xA9\" }"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(messages_begin_with_the_escaped_file) {
  const auto result = lnk::host::parse_spec("x = 1", "a\n\x1b[31m.toml");
  BOOST_REQUIRE(!result.ok());
  BOOST_TEST(result.errors.front().text() == "a\\n\\x1b[31m.toml:1:1: unknown key \"x\"");
}

BOOST_AUTO_TEST_CASE(the_old_keychain_key_is_noted_and_read_as_nothing) {
  const auto result = lnk::host::parse_spec("keychain = [\"x\"]\n", "s");
  BOOST_TEST(result.ok());
  BOOST_REQUIRE(result.notes.size() == 1U);
  BOOST_TEST(result.notes.front().text().starts_with("s:1:1: keychain is read as nothing"));
  BOOST_TEST(!errors_of("[files]\nkeychain = true").empty());
}

BOOST_AUTO_TEST_CASE(sizes_depths_and_counts_have_limits) {
  BOOST_TEST(errors_of("#" + std::string(lnk::host::kMaxSpecBytes - 1, 'x')).empty());
  BOOST_TEST(errors_of("#" + std::string(lnk::host::kMaxSpecBytes, 'x')).front() ==
             "1:1: the file is larger than 8 MiB, which is no spec");

  std::string dotted = "a";
  for (int i = 0; i < 100000; ++i) dotted += ".a";
  BOOST_TEST(errors_of("\n" + dotted + " = 1").front().starts_with("2:32: a key has more than 16 parts"));
  BOOST_TEST(errors_of("[" + dotted + "]").front().starts_with("1:33: a key has more than 16 parts"));
  BOOST_TEST(errors_of("x = {" + dotted + " = 1}").front().starts_with("1:37: a key has more than 16 parts"));
  BOOST_TEST(errors_of("# " + dotted + "\n").empty());
  dotted.resize(100000);
  BOOST_TEST(errors_of("[env]\nset = { A = \"" + dotted + "\", B = '" + dotted + "' }").empty());
  BOOST_TEST(errors_of("[env]\nset.A = \"\"\"\n" + dotted + "\n\\\"\"\"\"\"\n").empty());

  BOOST_TEST(errors_of("x = " + std::string(5000, '[')).front().find("this isn't TOML") != std::string::npos);

  std::string many = "[network]\nhosts = [";
  for (std::size_t i = 0; i <= lnk::host::kMaxListEntries; ++i) many += "\"a.com\",";
  BOOST_TEST(errors_of(many + "]").front() == "2:9: hosts has more than 131072 entries");
}

BOOST_AUTO_TEST_CASE(a_file_full_of_slips_does_not_fill_the_screen) {
  std::string text = "[files]\nread = [";
  for (int i = 0; i < 1000; ++i) text += "\n\"x\",";
  const auto errors = errors_of(text + "]");
  BOOST_TEST(errors.size() == lnk::host::kMaxDiagnostics);
  BOOST_TEST(errors.back().ends_with("and 801 more from here on"));
}

BOOST_AUTO_TEST_CASE(a_modules_table_is_canonical_json) {
  const auto document = lnk::host::read_toml("b = [1, -2.5, true]\na = { \"\\u0001\\\"\" = \"x\\\\\\n\" }");
  BOOST_REQUIRE(document.error.empty());
  BOOST_TEST(lnk::host::canonical_json(document.root) == R"({"a":{"\u0001\"":"x\\\u000a"},"b":[1,-2.5,true]})");
}

BOOST_AUTO_TEST_SUITE_END()
