// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/url.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace lnk::host::remote;

std::string written(std::string_view text) {
  const auto url = read_url(text);
  return url ? url->origin() + " " + url->target : "refused";
}

BOOST_AUTO_TEST_SUITE(url)

BOOST_AUTO_TEST_CASE(a_url_with_tls_or_of_this_machine_is_taken) {
  BOOST_TEST(written("https://example.com") == "https://example.com /");
  BOOST_TEST(written("HTTPS://Example.COM:443/a?b=c%20d") == "https://example.com /a?b=c%20d");
  BOOST_TEST(written("https://example.com:8443?a") == "https://example.com:8443 /?a");
  BOOST_TEST(written("https://[2001:DB8::1]/") == "https://[2001:db8::1] /");
  BOOST_TEST(written("http://localhost:3000/mcp") == "http://localhost:3000 /mcp");
  BOOST_TEST(written("http://127.0.0.1/") == "http://127.0.0.1 /");
  BOOST_TEST(written("http://[::1]:80/") == "http://[::1] /");
}

BOOST_AUTO_TEST_CASE(what_another_reader_could_take_for_another_place_is_refused) {
  for (const std::string_view text :
       {"", "example.com", "https:/example.com", "ftp://example.com/", "http://example.com/", "http://127.0.0.2/", "http://localhost.example.com/",
        "http://0/", "http://[::ffff:127.0.0.1]/", "https://a@example.com/", "https://example.com@other.test/", "https://example.com/#a",
        "https://example.com\\@other.test/", "https://example.com/a b", "https://example.com/\r\nX: 1", "https://ex%61mple.com/", "https://127.1/",
        "https://example.com:0x1/", "https://example.com:70000/", "https://:443/", "https://example.com/\xC3\xA4"})
    BOOST_TEST(written(text) == "refused", text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
