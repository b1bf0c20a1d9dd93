// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "errors_of.hpp"
#include "spec/values.hpp"

using lnk::host::Optional;
using lnk::host::PathBase;
using lnk::test::Twin;

BOOST_AUTO_TEST_SUITE(paths)

BOOST_AUTO_TEST_CASE(a_path_has_one_of_three_beginnings_and_nothing_to_expand) {
  const Twin twins[] = {
      {"[files]\nread = [\"src\"]", "2:9: \"src\" is relative; write \"./src\"", "[files]\nread = [\"./src\"]"},
      {"[files]\nread = [\"~\"]", "2:9: \"~\" is no path of a spec; the home itself is written \"~/\"",
       "[files]\nread = [\"~/\"]"},
      {"[files]\nread = [\".\"]", "2:9: \".\" is no path of a spec; the spec's own folder is written \"./\"",
       "[files]\nread = [\"./\"]"},
      {"[files]\nread = [\"~bob/x\"]", "2:9: \"~bob/x\" names another's home", "[files]\nread = [\"~/bob/x\"]"},
      {"[files]\nread = [\"../x\"]", "2:9: \"../x\" goes up with \"..\"", "[files]\nread = [\"./x..\"]"},
      {"[files]\nread = [\"/a/../b\"]", "2:9: \"/a/../b\" goes up with \"..\"", "[files]\nread = [\"/a/...b\"]"},
      {"[files]\nread = [\"/a/..\"]", "2:9: \"/a/..\" goes up with \"..\"", "[files]\nread = [\"/a/.\"]"},
      {"[files]\nread = [\"$HOME/x\"]", "2:9: \"$HOME/x\" holds a $: variables aren't read",
       "[files]\nread = [\"~/x\"]"},
      {"[files]\nread = [\"~/${X}\"]", "2:9: \"~/${X}\" holds a $", "[files]\nread = [\"~/{X}\"]"},
      {"[files]\nread = [\"~/*.c\"]", "2:9: \"~/*.c\" holds a * or ?: globs", "[files]\nread = [\"~/[id].c\"]"},
      {"[files]\nread = [\"~/a?b\"]", "2:9: \"~/a?b\" holds a * or ?", "[files]\nread = [\"~/ab?\"]"},
      {"[files]\nread = [\"~/a??\"]", "2:9: \"~/a??\" holds a * or ?", "[files]\nread = [\"~/a?\"]"},
      {"[files]\nread = [\"\"]", "2:9: a path can't be empty", "[files]\nread = []"},
      {"[files]\nread = [\"/a\\u0000b\"]", "2:9: \"/a\\x00b\" holds a NUL", "[files]\nread = [\"/a\\nb\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(a_typed_path_is_the_name_itself) {
  using lnk::host::read_typed_path;
  const struct {
    const char* text;
    PathBase base;
    const char* rest;
  } read[] = {{"/a//b/./", PathBase::Root, "a/b"},   {"~/a", PathBase::Home, "a"},     {".", PathBase::SpecFolder, ""},
              {"a/b", PathBase::SpecFolder, "a/b"},  {"./a", PathBase::SpecFolder, "a"}, {"~bob", PathBase::SpecFolder, "~bob"},
              {"a?", PathBase::SpecFolder, "a?"},    {"/a??", PathBase::Root, "a??"},    {"*.c", PathBase::SpecFolder, "*.c"},
              {"~/$HOME", PathBase::Home, "$HOME"},  {"?", PathBase::SpecFolder, "?"}};
  for (const auto& one : read) {
    const auto path = read_typed_path(one.text);
    BOOST_TEST_REQUIRE(path.has_value(), one.text);
    BOOST_TEST((path->base == one.base && path->rest == one.rest && !path->optional && path->written == one.text), one.text);
  }
  for (const std::string_view text : {std::string_view("a\0b", 3), std::string_view(""), std::string_view("~"), std::string_view("/a/../b"),
                                      std::string_view("~/../b")})
    BOOST_TEST(!read_typed_path(text).has_value());
}

BOOST_AUTO_TEST_CASE(only_read_and_write_take_a_question_mark) {
  const Twin twins[] = {
      {"[files]\nhide = [\"~/a?\"]", "2:9: \"~/a?\" takes no ? at its end", "[files]\nhide = [\"~/a\"]"},
      {"[files]\nwrite = [\"~/a\"]\nwrite_dot_files = [\"~/a?\"]", "3:20: \"~/a?\" takes no ? at its end",
       "[files]\nwrite = [\"~/a\"]\nwrite_dot_files = [\"~/a\"]"},
      {"[commands]\nallow = [\"/bin/x?\"]", "2:10: \"/bin/x?\" takes no ? at its end",
       "[commands]\nallow = [\"/bin/x\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
  BOOST_TEST(lnk::test::errors_of("[files]\nread = [\"~/a?\"]\nwrite = [\"~/b?\"]").empty());
}

BOOST_AUTO_TEST_CASE(the_whole_machine_and_the_whole_home_are_never_written) {
  const Twin twins[] = {
      {"[files]\nwrite = [\"/\"]", "2:10: \"/\" is the whole machine", "[files]\nread = [\"/\"]"},
      {"[files]\nwrite = [\"//./\"]", "2:10: \"//./\" is the whole machine", "[files]\nwrite = [\"//./srv\"]"},
      {"[files]\nwrite = [\"~/\"]", "2:10: \"~/\" is the whole home", "[files]\nread = [\"~/\"]"},
      {"[files]\nwrite = [\"~/.?\"]", "2:10: \"~/.?\" is the whole home", "[files]\nwrite = [\"~/.x?\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
  // The spec's own folder may be the home: that takes the machine to tell.
  BOOST_TEST(lnk::test::errors_of("[files]\nwrite = [\"./\"]").empty());
}

BOOST_AUTO_TEST_CASE(a_path_is_cleaned_and_keeps_what_was_written) {
  const auto path = lnk::host::read_path("~//src/./app/?", Optional::Yes);
  BOOST_REQUIRE(path.has_value());
  BOOST_TEST((path->base == PathBase::Home));
  BOOST_TEST(path->rest == "src/app");
  BOOST_TEST(path->optional);
  BOOST_TEST(path->written == "~//src/./app/?");
}

BOOST_AUTO_TEST_CASE(lengths_are_those_of_the_kernel) {
  const std::string part(255, 'a');
  BOOST_TEST(lnk::host::read_path("/" + part, Optional::No).has_value());
  BOOST_TEST(!lnk::host::read_path("/" + part + "a", Optional::No).has_value());
  std::string whole;
  while (whole.size() + 5 <= 4095) whole += "/aaaa";
  BOOST_TEST(lnk::host::read_path(whole, Optional::No).has_value());
  BOOST_TEST(!lnk::host::read_path(whole + "/a", Optional::No).has_value());
}

BOOST_AUTO_TEST_CASE(a_program_is_a_bare_name_a_path_or_a_folder) {
  const Twin twins[] = {
      {"[commands]\nallow = [\"git*\"]", "2:10: \"git*\" holds a * or ?", "[commands]\nallow = [\"git\"]"},
      {"[commands]\nallow = [\"bin/git\"]", "2:10: \"bin/git\" is relative; write \"./bin/git\"",
       "[commands]\nallow = [\"./bin/git\"]"},
      {"[commands]\nallow = [\"\"]", "2:10: a program can't be empty", "[commands]\nallow = []"},
      {"[commands]\nallow = [\"..\"]", "2:10: \"..\" is no program's name", "[commands]\nallow = [\"[\"]"},
      {"[commands]\nallow = [\"/\"]", "2:10: \"/\" is every program", "[commands]\nallow = [\"/usr/bin/\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
  const auto folder = lnk::host::read_program("~/.local/bin/");
  BOOST_REQUIRE(folder.has_value());
  BOOST_TEST(folder->folder);
  BOOST_TEST(folder->path.rest == ".local/bin");
  const auto program = lnk::host::read_program("/usr/bin/git");
  BOOST_REQUIRE(program.has_value());
  BOOST_TEST(!program->folder);
  BOOST_TEST(lnk::host::read_program("git")->name == "git");
}

BOOST_AUTO_TEST_SUITE_END()
