// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE route
#include "lnk/route/path_shape.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using lnk::route::Kind;
using lnk::route::Letters;
using lnk::route::PathShape;

namespace {

PathShape shape(std::string_view text) {
  auto made = PathShape::compile(text);
  BOOST_REQUIRE_MESSAGE(made, text << ": " << (made ? "" : made.error().text));
  return std::move(made).value();
}

std::string secret_of(std::string_view text, std::string_view path) {
  const auto match = shape(text).match(path);
  if (!match) return "no match";
  for (const auto& capture : match->captures) {
    if (capture.kind == Kind::Secret) return std::string(path.substr(capture.at, capture.size));
  }
  return "no secret";
}

}  // namespace

BOOST_AUTO_TEST_CASE(match_takes_what_the_shape_names) {
  struct Case {
    std::string shape, path;
  };
  const std::vector<Case> cases = {
      {"v1/pages", "v1/pages"},
      {"v1/{name}", "v1/a-B_9"},
      {"repos/{name}/{name}/issues", "repos/octo/cat/issues"},
      {"{name}/{name}.git/info/refs", "octo/cat.git/info/refs"},
      {"bot{secret}/{name}", "bot12:aB_-/getMe"},
      {"bot{secret}/{name}", "bot/getMe"},
      {"file/bot{secret}/{path}", "file/bot1:x/photos/file_1.jpg"},
      {"repos/{part}/{part}", "repos/vercel/next.js"},
      {"{part}.git/x", "a.b.git/x"},
      {"{path}", "a"},
      {"{path}", "a/b.c/~d"},
  };
  for (const auto& c : cases) BOOST_TEST(shape(c.shape).match(c.path).has_value(), c.shape << " " << c.path);
}

BOOST_AUTO_TEST_CASE(match_refuses_what_the_shape_does_not_name) {
  struct Case {
    std::string shape, path;
  };
  const std::vector<Case> cases = {
      {"v1/pages", "v1/Pages"},
      {"repos/{part}", "repos/a/b"},
      {"repos/{part}", "repos/.."},
      {"repos/{part}", "repos/."},
      {"repos/{part}", "repos/"},
      {"repos/{part}", "repos/a%2eb"},
      {"{part}.git", ".git"},
      {"v1/pages", "v1/pages/"},
      {"v1/pages", "v1"},
      {"v1/pages", "/v1/pages"},
      {"v1/pages", ""},
      {"v1/{name}", "v1/"},
      {"v1/{name}", "v1/a.b"},
      {"v1/{name}", "v1/a/b"},
      {"bot{secret}/{name}", "bot1:x/get.Me"},
      {"bot{secret}/{name}", "bot1:x"},
      {"bot{secret}/{name}", "bo"},
      {"{path}", ""},
      {"file/{path}", "file/"},
      {"file/{path}", "file"},
      {"{name}/{name}.git/x", "a/.git/x"},
      {"bot{secret}/{name}", "bot1:x/getMe/y"},
  };
  for (const auto& c : cases) BOOST_TEST(!shape(c.shape).match(c.path).has_value(), c.shape << " " << c.path);
}

BOOST_AUTO_TEST_CASE(a_path_that_could_be_read_otherwise_matches_nothing) {
  const std::vector<std::string> paths = {
      "a//b",   "a/./b", "a/../b",  "..",  ".",       "a/",   "/a",    "a/%2e%2e",  "a%2fb",
      "a\\b",   "a;b",   "a/b;c=d", "a b", "a?b",     "a#b",  "a\x7f", "a\xc3\xa9", std::string("a\0b", 3),
      "a\r\nb", "a<b",   "a{b}",    "%61", "a/%252e", "a\tb", "a|b",   "a^b",       "a`b",
      "a\"b",   "a[b]",
  };
  for (const auto& path : paths) {
    BOOST_TEST(!lnk::route::is_plain_path(path), path);
    BOOST_TEST(!shape("{path}").match(path).has_value(), path);
    BOOST_TEST(!shape("a/{path}").match("a/" + path).has_value(), path);
    BOOST_TEST(!shape("{secret}/{name}").match(path + "/x").has_value(), path);
  }
  for (const std::string path : {"a", "a/b", "a.b/...", "..a/b..", "a:b@c!$&'()*+,=~"}) {
    BOOST_TEST(shape("{path}").match(path).has_value(), path);
  }
}

BOOST_AUTO_TEST_CASE(match_tells_where_the_secret_stands) {
  BOOST_TEST(secret_of("bot{secret}/{name}", "bot12:aB/getMe") == "12:aB");
  BOOST_TEST(secret_of("bot{secret}/{name}", "bot/getMe") == "");
  BOOST_TEST(secret_of("x/{secret}-end", "x/-end") == "");
  BOOST_TEST(secret_of("x/{secret}-end", "x/k-end-end") == "k-end");
  BOOST_TEST(secret_of("x/{name}", "x/y") == "no secret");
}

BOOST_AUTO_TEST_CASE(any_case_folds_letters_of_literals) {
  const auto refused = shape("bot{secret}/setWebhook");
  BOOST_TEST(refused.match("BOT1:x/SETwebHOOK", Letters::AnyCase).has_value());
  BOOST_TEST(!refused.match("BOT1:x/SETwebHOOK").has_value());
  BOOST_TEST(!refused.match("bot1:x/setWebhook2", Letters::AnyCase).has_value());
}

BOOST_AUTO_TEST_CASE(compile_refuses_what_could_not_be_meant) {
  const std::vector<std::string> shapes = {
      "",
      "/a",
      "a/",
      "a//b",
      "a/../b",
      ".",
      "a%2f",
      "a;b",
      "a?b=c",
      "a{b}",
      "a{",
      "a}",
      "{name",
      "{name}{name}",
      "{path}/a",
      "x{path}",
      "{path}x",
      "{Name}",
      "a\\b",
      "a b",
      "{secret}/{secret}",
      "{name}{secret}",
      "{}",
      "a\n",
      "{{name}}",
      "a/#",
  };
  for (const auto& text : shapes) BOOST_TEST(!PathShape::compile(text).has_value(), text);
  BOOST_TEST(!PathShape::compile(std::string(513, 'a')).has_value());
  BOOST_TEST(PathShape::compile(std::string(512, 'a')).has_value());
}

BOOST_AUTO_TEST_CASE(compile_says_which_part_is_wrong) {
  BOOST_TEST(PathShape::compile("a/{path}/b").error().text ==
             "path shape part '{path}': {path} stands alone, as the last part");
}
