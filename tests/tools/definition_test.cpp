// SPDX-License-Identifier: Apache-2.0
#include "tools/definition.hpp"

#include <boost/test/unit_test.hpp>

#include "snapshot/tool_grants_value.hpp"

using namespace lnk::host;

namespace {

const std::string kHash(64, 'a');

ToolDefinition files() {
  ToolDefinition tool;
  tool.name = "files";
  tool.argv = {"/usr/bin/npx", "-y", "server"};
  tool.allow = {{"read_file", kHash}};
  tool.roots = {"/home/u/app"};
  tool.env = {{"TOKEN", "t0p-s3cret"}};
  tool.added = "2026-12-01";
  return tool;
}

ToolDefinition remote() {
  ToolDefinition tool;
  tool.name = "remote";
  tool.url = "https://mcp.example.com/mcp";
  tool.headers = {{"Authorization", "Bearer t0p-s3cret"}};
  return tool;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  for (const auto& tool : {files(), remote()}) {
    const auto text = tool_text(tool);
    BOOST_REQUIRE(text);
    const auto read = read_tool_text(*text);
    BOOST_REQUIRE(read);
    BOOST_TEST(*tool_text(*read) == *text);
    BOOST_TEST((granted_of(*read) == granted_of(tool)));
    BOOST_TEST(read->added == tool.added);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_tools_is_refused) {
  const auto text = *tool_text(files());
  const auto with = [&text](std::string_view from, std::string_view to) {
    auto other = text;
    const auto at = other.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    return other.replace(at, from.size(), to);
  };
  for (const auto& other :
       {std::string(), std::string("{}"), text + " ", text.substr(1), with("\"version\":1", "\"version\":2"),
        with("\"all\"", "\"some\""), with("/usr/bin/npx", "npx"), with("/usr/bin/npx", "/usr/../npx"),
        with(kHash, "aa"), with("/home/u/app", "app"), with("\"url\":\"\"", "\"url\":\"https://a.test\""),
        with("\"headers\":{}", "\"headers\":{\"Authorization\":\"x\"}"), with("\"files\"", "\"Files\""),
        with("\"TOKEN\"", "\"TO=KEN\""), with("t0p", "\\u0000"), with("-y", "\\u0000"),
        with("{\"added\"", "{\"adde\":\"\",\"added\"")})
    BOOST_TEST(!read_tool_text(other), other);
  ToolDefinition large = files();
  large.env["LARGE"] = std::string(kToolFileBytesMax, 'x');
  BOOST_TEST(!tool_text(large));
}

BOOST_AUTO_TEST_CASE(what_a_tool_does_is_approved_and_the_value_of_a_field_is_not) {
  const auto granted = granted_of(files());
  BOOST_TEST(granted.env == std::vector<std::string>{"TOKEN"});
  const auto changes = [](const auto& change) {
    auto tool = files();
    change(tool);
    return !(granted_of(tool) == granted_of(files()));
  };
  BOOST_TEST(changes([](auto& tool) { tool.argv.back() = "another"; }));
  BOOST_TEST(changes([](auto& tool) { tool.env["TOKEN"] = "another"; }));
  BOOST_TEST(changes([](auto& tool) { tool.env["MORE"] = ""; }));
  BOOST_TEST(changes([](auto& tool) { tool.allow["read_file"] = std::string(64, 'b'); }));
  BOOST_TEST(changes([](auto& tool) { tool.allow["write_file"] = kHash; }));
  BOOST_TEST(changes([](auto& tool) { tool.asks = false; }));
  BOOST_TEST(changes([](auto& tool) { tool.roots.clear(); }));
  BOOST_TEST(!changes([](auto& tool) { tool.added = "2027-01-01"; }));
  auto other = remote();
  other.headers["Authorization"] = "Bearer another";
  BOOST_TEST((granted_of(other) == granted_of(remote())));
  other.headers["X-Tenant"] = "7";
  BOOST_TEST(!(granted_of(other) == granted_of(remote())));
  // No value stands in what is approved, which is kept and shown elsewhere.
  const auto json = boost::json::serialize(tools_json({granted_of(files()), granted_of(remote())}));
  BOOST_TEST(json.find("s3cret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_field_of_the_transport_cant_be_sent) {
  for (const auto* name : {"Authorization", "X-Api-Key", "Cookie", "x_y"})
    BOOST_TEST(check_tool_header(name).has_value(), name);
  for (const auto* name : {"", "A B", "A:", "Hést", "Host", "host", "Content-Length", "TRANSFER-ENCODING", "Connection",
                           "Accept", "Mcp-Session-Id", "MCP-Protocol-Version", "Origin", "Last-Event-ID", "a\r\nb"})
    BOOST_TEST(!check_tool_header(name), name);
  BOOST_TEST(check_tool_header_value("Bearer abc==").has_value());
  for (const std::string& value : {std::string(), std::string(" a"), std::string("a "), std::string("a\r\nHost: b"),
                                   std::string("a\0b", 3), std::string("\xc3\xa9"), std::string(9000, 'a')})
    BOOST_TEST(!check_tool_header_value(value));
}
