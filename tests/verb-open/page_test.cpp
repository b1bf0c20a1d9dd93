// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lnk/cpp/result.hpp"

using lnk::http::kPageUrlBytesMax;
using lnk::verb_open::Config;
using lnk::verb_open::Denial;
using lnk::verb_open::host_fault;
using lnk::verb_open::Page;
using lnk::verb_open::parse_page;

namespace {

Page page_of(std::string_view text) {
  auto parsed = parse_page(text);
  BOOST_REQUIRE_MESSAGE(std::holds_alternative<Page>(parsed), text);
  return std::get<Page>(std::move(parsed));
}

std::string fault_of(std::string_view text, const Config& config = {}) { return host_fault(page_of(text), config); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_opened_is_written_anew_in_plain_ascii) {
  const std::vector<std::pair<std::string, std::string>> twins = {
      {"https://example.com", "https://example.com/"},
      {"HTTPS://Example.COM:443/A?b#c", "https://example.com/A?b#c"},
      {"http://example.com:80/", "http://example.com/"},
      {"http://example.com:8080", "http://example.com:8080/"},
      {"https://example.com.?x", "https://example.com/?x"},
      {"https://example.com#a", "https://example.com/#a"},
      {"https://[2A00:0::1]/", "https://[2a00::1]/"},
      {"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
      {"https://example.com/b\xc3\xbc"
       "cher?q=\xe2\x80\xae#\xc3\xa9",
       "https://example.com/b%C3%BCcher?q=%E2%80%AE#%C3%A9"},
      {"https://example.com/{a}|\"<b>`^", "https://example.com/%7Ba%7D%7C%22%3Cb%3E%60%5E"},
      {"https://example.com/%2e%2E/?a=%5C", "https://example.com/%2e%2E/?a=%5C"},
      {"https://example.com/?", "https://example.com/?"},
  };
  for (const auto& [given, opened] : twins) {
    BOOST_TEST(page_of(given).url == opened);
    BOOST_TEST(page_of(opened).url == opened);
  }
}

BOOST_AUTO_TEST_CASE(what_browsers_read_in_another_way_is_refused) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"", "begins with http"},
      {"file:///etc/passwd", "begins with http"},
      {"javascript:alert(1)", "begins with http"},
      {"--version", "begins with http"},
      {"http:/example.com", "begins with http"},
      {"https:example.com", "begins with http"},
      {" https://example.com", "a blank"},
      {"https://example.com https://b.example", "a blank"},
      {"https://example.com/\n", "control character"},
      {std::string("https://example.com/\0", 21), "control character"},
      {"https://example.com/\x7f", "control character"},
      {"https://example.com/\x1b[2J", "control character"},
      {"https:///example.com", "an empty host"},
      {"https://", "an empty host"},
      {"https://a@example.com/", "userinfo"},
      {"https://a:b@example.com/", "userinfo"},
      {"https://example.com\\@b.example/", "backslash"},
      {"https://example.com/a\\b", "backslash"},
      {"https://b\xc3\xbc"
       "cher.example/",
       "xn--"},
      {"https://example\xe2\x80\xae.com/", "xn--"},
      {"https://ex%61mple.com/", "percent sign"},
      {"https://0x7f.1/", "dotted decimal"},
      {"https://2130706433/", "dotted decimal"},
      {"https://example.com:0/", "port"},
      {"https://example.com:65536/", "port"},
      {"https://example.com:/", "port"},
      {"https://[::1/", "bracket"},
      {"https://[fe80::1%25eth0]/", "percent sign"},
      {"https://example.com/%", "%25"},
      {"https://example.com/%4", "%25"},
      {"https://example.com/%zz", "%25"},
      {"https://example.com/" + std::string(kPageUrlBytesMax, 'a'), "16 KiB"},
      {"https://example.com/" + std::string(kPageUrlBytesMax / 2, '\xc3'), "16 KiB"},
  };
  for (const auto& [given, words] : refused) {
    const auto parsed = parse_page(given);
    const auto* denial = std::get_if<Denial>(&parsed);
    BOOST_REQUIRE_MESSAGE(denial != nullptr, given);
    BOOST_TEST_CONTEXT(given) { BOOST_TEST(denial->words.find(words) != std::string::npos, denial->words); }
  }
  const std::string longest = "https://example.com/" + std::string(kPageUrlBytesMax - 20, 'a');
  BOOST_TEST(page_of(longest).url == longest);
}

BOOST_AUTO_TEST_CASE(a_host_that_is_not_everyones_is_opened_only_where_it_is_granted) {
  Config config;
  config.localhost = {3000};
  config.hosts = {
      {"wiki", 443, false}, {"corp.example.corp", 443, true}, {"nas.local", 80, false}, {"192.168.1.5", 8080, false}};
  for (const auto* url : {"http://localhost:3000/", "http://127.0.0.1:3000/x", "http://[::1]:3000/", "https://wiki/a",
                          "https://a.corp.example.corp/", "http://nas.local/", "http://192.168.1.5:8080/"}) {
    BOOST_TEST(!fault_of(url).empty(), url);
    BOOST_TEST(fault_of(url, config).empty(), url);
  }
  for (const auto* url :
       {"http://localhost/", "http://localhost:3001/", "http://a.localhost:3000/", "http://127.0.0.2:3000/",
        "http://wiki/", "https://corp.example.corp/", "https://xcorp.example.corp/", "https://nas.local/",
        "http://192.168.1.6:8080/", "http://[::ffff:127.0.0.1]:3000/", "http://0.0.0.0:3000/", "http://10.1.2.3/",
        "http://router.lan/", "http://x.internal/", "http://[fd00::1]/"})
    BOOST_TEST(!fault_of(url, config).empty(), url);
  for (const auto* url :
       {"https://example.com/", "https://192.0.32.7/", "https://[2a00::1]/", "https://local.example.com:8443/"})
    BOOST_TEST(fault_of(url).empty(), url);
}

BOOST_AUTO_TEST_CASE(a_metadata_service_is_never_opened) {
  Config config;
  config.hosts = {{"169.254.169.254", 80, false}, {"metadata.google.internal", 80, false}, {"metadata", 80, false}};
  for (const auto* url : {"http://169.254.169.254/", "http://metadata.google.internal/", "http://metadata/"})
    BOOST_TEST(fault_of(url, config).find("never") != std::string::npos, url);
}
