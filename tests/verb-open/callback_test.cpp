// SPDX-License-Identifier: Apache-2.0
#include "callback.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

using lnk::CallbackEvent;
using lnk::verb_open::Callback;
using lnk::verb_open::Config;
using lnk::verb_open::Denial;
using lnk::verb_open::find_callback;
using lnk::verb_open::judge;
using lnk::verb_open::kFormBytesMax;
using lnk::verb_open::Page;
using lnk::verb_open::parse_page;
using lnk::verb_open::redirect_to_itself;
using lnk::verb_open::Request;

namespace {

std::variant<Denial, std::optional<Callback>> found_in(const std::string& query) {
  auto parsed = parse_page("https://login.example/authorize?" + query);
  BOOST_REQUIRE_MESSAGE(std::holds_alternative<Page>(parsed), query);
  Config config;
  config.carried = {3000, 40781};
  return find_callback(std::get<Page>(parsed), config);
}

std::string shown(const std::variant<Denial, std::optional<Callback>>& found) {
  if (const auto* denial = std::get_if<Denial>(&found)) return denial->words;
  const auto& callback = std::get<std::optional<Callback>>(found);
  return callback ? std::to_string(callback->port) + callback->path : "none";
}

CallbackEvent request(std::string_view method, std::string_view target, std::string_view type = {},
                      std::string_view body = {}) {
  return {method, target, "localhost:1455", type, body};
}

constexpr std::string_view kForm = "application/x-www-form-urlencoded";

}  // namespace

BOOST_AUTO_TEST_CASE(a_callback_is_the_redirect_uri_on_this_machines_loopback) {
  const std::pair<std::string, std::string> rows[] = {
      // The shapes of Codex, Claude Code, Gemini, wrangler, az and gcloud.
      {"client_id=a&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fauth%2Fcallback&state=b", "1455/auth/callback"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A54545%2Fcallback", "54545/callback"},
      {"redirect_uri=http%3A%2F%2F127.0.0.1%3A36789%2Foauth2callback", "36789/oauth2callback"},
      {"redirect_uri=http://localhost:8976/oauth/callback", "8976/oauth/callback"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A40001", "40001/"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A8085%2F", "8085/"},
      {"redirect_uri=http%3A%2F%2F%5B%3A%3A1%5D%3A1455%2Fcb", "1455/cb"},
      {"redirect_uri=http://localhost:1455/cb?x=1", "1455/cb"},
      {"redirect%5Furi=http://localhost:1455/cb", "1455/cb"},
      // Not on this machine, or not the program's.
      {"", "none"},
      {"state=redirect_uri", "none"},
      {"redirect_uri=", "none"},
      {"redirect_uri=https%3A%2F%2Fexample.com%2Fcb", "none"},
      {"redirect_uri=https%3A%2F%2Flocalhost%3A1455%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Flocalhost%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A1023%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Flocalhost%3A40781%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2F127.0.0.2%3A1455%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Fa.localhost%3A1455%2Fcb", "none"},
      {"redirect_uri=http%3A%2F%2Fa%40localhost%3A1455%2Fcb", "none"},
      {"redirect_uri=http%253A%252F%252Flocalhost%253A1455%252Fcb", "none"},  // decoded once
      {"next=https://a.example/?redirect_uri%3Dhttp://localhost:1455/cb", "none"},
      // Read in two ways.
      {"redirect_uri=http://localhost:1455/a&redirect_uri=http://localhost:1456/a",
       "a URL with more than one redirect_uri; send one"},
      {"redirect_uri=http://localhost:1455/a/../b", "a redirect_uri whose path has a part . or .."},
      {"redirect_uri=http://localhost:1455/a/%252E%252e", "a redirect_uri whose path has a part . or .."},
  };
  for (const auto& [query, expected] : rows) BOOST_TEST(shown(found_in(query)) == expected, query);
  BOOST_TEST(shown(found_in("redirect_uri=http://localhost:1024/")) == "1024/");
}

BOOST_AUTO_TEST_CASE(only_an_answer_is_passed_in) {
  const Callback callback{1455, "/cb"};
  const auto is = [&callback](const CallbackEvent& event, bool follows = false) {
    return judge(event, callback, follows);
  };
  BOOST_TEST((is(request("GET", "/cb?code=a")) == Request::Answer));
  BOOST_TEST((is(request("POST", "/cb", kForm, "code=a")) == Request::Answer));
  BOOST_TEST(
      (is(request("POST", "/cb", "Application/X-WWW-Form-Urlencoded ; charset=utf-8", "code=a")) == Request::Answer));
  BOOST_TEST((is(request("GET", "/cb")) == Request::Nothing));
  BOOST_TEST((is(request("GET", "/cb?")) == Request::Nothing));
  BOOST_TEST((is(request("POST", "/cb", kForm)) == Request::Nothing));
  for (const auto* target : {"/favicon.ico", "/", "/cb/", "/CB?code=a", "//cb?code=a", "/x?/cb", "/cb%2f?code=a"})
    BOOST_TEST((is(request("GET", target)) == Request::Elsewhere), target);
  BOOST_TEST((is(request("HEAD", "/cb?code=a")) == Request::Unfit));
  BOOST_TEST((is(request("PUT", "/cb?code=a")) == Request::Unfit));
  BOOST_TEST((is(request("OPTIONS", "/cb?code=a")) == Request::Unfit));
  BOOST_TEST((is(request("GET", "/cb?code=a", {}, "x")) == Request::Unfit));
  BOOST_TEST((is(request("POST", "/cb", "text/plain", "code=a")) == Request::Unfit));
  BOOST_TEST((is(request("POST", "/cb", "application/json", "{}")) == Request::Unfit));
  const std::string most(kFormBytesMax, 'a');
  BOOST_TEST((is(request("POST", "/cb", kForm, most)) == Request::Answer));
  BOOST_TEST((is(request("POST", "/cb", kForm, most + "a")) == Request::Unfit));
  // The second request of an answer: a page of the program's.
  BOOST_TEST((is(request("GET", "/cb"), true) == Request::Answer));
  BOOST_TEST((is(request("POST", "/cb", kForm, "code=a"), true) == Request::Unfit));
}

BOOST_AUTO_TEST_CASE(another_name_that_leads_here_answers_nothing) {
  const Callback callback{1455, "/cb"};
  auto event = request("GET", "/cb?code=a");
  for (const auto* host : {"localhost:1455", "127.0.0.1:1455", "[::1]:1455", "LOCALHOST:1455"}) {
    event.host = host;
    BOOST_TEST((judge(event, callback, false) == Request::Answer), host);
  }
  for (const auto* host :
       {"evil.example:1455", "localhost", "localhost:1456", "", "127.0.0.1", "a.localhost:1455", "a@localhost:1455"}) {
    event.host = host;
    BOOST_TEST((judge(event, callback, false) == Request::Elsewhere), host);
  }
}

BOOST_AUTO_TEST_CASE(a_redirect_to_the_same_port_belongs_to_the_answer) {
  const auto to = [](std::string_view location) {
    const auto redirect = redirect_to_itself(location, "localhost:1455", 1455);
    return redirect ? redirect->url + " " + redirect->path : "none";
  };
  BOOST_TEST(to("http://localhost:1455/success?id=1") == "http://localhost:1455/success?id=1 /success");
  BOOST_TEST(to("/success?id=1") == "http://localhost:1455/success?id=1 /success");
  BOOST_TEST(to("http://127.0.0.1:1455") == "http://127.0.0.1:1455/ /");
  for (const auto* location :
       {"https://localhost:1455/", "http://localhost:1456/", "http://localhost/", "https://example.com/",
        "//example.com/", "success", "", "javascript:alert(1)", "http://localhost:1455@example.com/", "/\\example.com",
        "/a/../b", "http://localhost:1455/\r\nSet-Cookie: a=b"})
    BOOST_TEST(to(location) == "none", location);
}
