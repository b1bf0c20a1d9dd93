// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "tools/tool_url.hpp"

using namespace lnk::host;

BOOST_AUTO_TEST_CASE(a_url_is_https_or_of_this_machine) {
  for (const auto* url :
       {"https://mcp.example.com", "https://mcp.example.com/mcp", "https://mcp.example.com:8443/mcp?project=7",
        "http://localhost:3000/mcp", "http://127.0.0.1/mcp", "http://[::1]:3000/mcp", "https://example.com/?"})
    BOOST_TEST(check_tool_url(url).has_value(), url);
  for (const auto* url :
       {"", "mcp.example.com", "ftp://example.com", "http://example.com/mcp", "http://localhost.example.com/",
        "http://127.0.0.1.example.com/", "http://127.1/", "http://0x7f000001/", "http://[::2]/", "https://",
        "https:///mcp", "https://a b.com/", "https://exa\nmple.com/",
        "https://b\xc3\xbc"
        "cher.example/",
        "https://example.com:0/", "https://example.com:99999/", "https://example.com/mcp#top",
        "https://example.com#top"})
    BOOST_TEST(!check_tool_url(url), url);
  BOOST_TEST(!check_tool_url("https://example.com/" + std::string(5000, 'a')));
}

BOOST_AUTO_TEST_CASE(nothing_of_a_secret_stands_in_it) {
  for (const auto* url : {"https://u@example.com/", "https://u:p4ss@example.com/", "https://example.com/?api_key=p4ss",
                          "https://example.com/?a=1&Access_Token=p4ss", "https://example.com/?sig=p4ss",
                          "https://example.com/?password=p4ss", "https://example.com/?k%65y=p4ss",
                          "https://example.com/mcp?client-secret=p4ss#x"}) {
    const auto checked = check_tool_url(url);
    BOOST_TEST(!checked, url);
    if (!checked) BOOST_TEST(checked.error().text.find("p4ss") == std::string::npos);
  }
}
