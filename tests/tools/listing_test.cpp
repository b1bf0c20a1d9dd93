// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "lnk/jsonfilter/document.hpp"
#include "lnk/mcp/definition.hpp"
#include "tools/tools_listing.hpp"

using namespace lnk::host;
using lnk::Code;

namespace {

std::string hash_of(std::string_view definition) {
  const auto document = lnk::jsonfilter::parse(definition);
  BOOST_REQUIRE(document);
  return lnk::mcp::definition_sha256(document->root());
}

std::string result(int id, const std::string& inner) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{)" + inner + "}}";
}
std::string error(int id, const std::string& words) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"error":{"code":-32601,"message":")" + words + "\"}}";
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// One that was told its server is of the older revisions.
ToolsListing initialized(std::vector<std::string> roots = {}) {
  ToolsListing listing(std::move(roots));
  static_cast<void>(listing.first());
  BOOST_REQUIRE(listing.take(result(1, R"("protocolVersion":"2025-06-18","capabilities":{"tools":{}})")));
  return listing;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_of_the_older_revisions_tells_its_tools_on_pages) {
  ToolsListing listing({});
  BOOST_TEST(holds(listing.first(), R"("method":"initialize")"));
  auto next = listing.take(result(1, R"("protocolVersion":"2025-11-25","capabilities":{"tools":{}})"));
  BOOST_REQUIRE(next);
  BOOST_TEST(
      (holds(*next, "notifications/initialized") && holds(*next, R"("id":2,"method":"tools/list","params":{})")));
  next = listing.take(result(2, R"("tools":[{"name":"a","description":"one"}],"nextCursor":"p\"2")"));
  BOOST_REQUIRE(next);
  BOOST_TEST(holds(*next, R"("id":3,"method":"tools/list","params":{"cursor":"p\"2"})"));
  BOOST_TEST(!listing.is_done());
  next = listing.take(result(3, R"("tools":[{"name":"b","inputSchema":{"type":"object"}}])"));
  BOOST_TEST((next && next->empty() && listing.is_done()));
  BOOST_TEST(listing.tools().size() == 2U);
  BOOST_TEST(listing.tools().at("a") == hash_of(R"({"description":"one","name":"a"})"));
  BOOST_TEST(listing.tools().at("b") == hash_of(R"({"name":"b","inputSchema":{"type":"object"}})"));
}

BOOST_AUTO_TEST_CASE(one_of_the_newest_alone_is_asked_by_that) {
  ToolsListing listing({});
  static_cast<void>(listing.first());
  const auto next = listing.take(error(1, "no initialize here"));
  BOOST_REQUIRE(next);
  BOOST_TEST((holds(*next, R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")") &&
              !holds(*next, "notifications/initialized")));
  BOOST_TEST(listing.take(result(2, R"("resultType":"complete","tools":[{"name":"a"}])")).has_value());
  BOOST_TEST(listing.is_done());
}

BOOST_AUTO_TEST_CASE(what_it_cant_be_read_from_is_refused_in_words) {
  for (const auto& [answer, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {error(2, "none here"), "none here"},
           {result(2, ""), "form that isn't known"},
           {result(2, R"("tools":{})"), "form that isn't known"},
           {result(2, R"("tools":[{"name":"a"},{"name":"a","title":"other"}])"), "twice"},
           {result(2, R"("tools":[{}])"), "name is missing"},
           {result(2, R"("tools":["a"])"), "name is missing"},
           {std::string(kListingLineBytesMax + 1, ' '), "longer than"}}) {
    auto listing = initialized();
    const auto taken = listing.take(answer);
    BOOST_REQUIRE(!taken);
    BOOST_TEST(holds(taken.error().text, words), taken.error().text);
  }
  // Both errors of one that knows neither.
  ToolsListing neither({});
  static_cast<void>(neither.first());
  BOOST_REQUIRE(neither.take(error(1, "first")));
  const auto taken = neither.take(error(2, "second"));
  BOOST_TEST((!taken && holds(taken.error().text, "first") && holds(taken.error().text, "second")));
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_is_passed_over) {
  auto listing = initialized();
  for (const std::string& line : std::initializer_list<std::string>{
           "", "Server is ready", "[]", "7", R"({"jsonrpc":"2.0","id":"2","result":{"tools":[]}})",
           R"({"id":2,"id":2,"result":{}})", R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})",
           R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})",
           R"({"jsonrpc":"2.0","id":2,"method":"tools/list","result":{"tools":[]}})"}) {
    const auto taken = listing.take(line);
    BOOST_TEST((taken && !listing.is_done()), line);
  }
  for (std::size_t line = 0; line < kListingLinesMax; ++line)
    if (!listing.take("x")) return;
  BOOST_ERROR("lines without an end are taken");
}

BOOST_AUTO_TEST_CASE(pages_have_an_end) {
  auto listing = initialized();
  for (int page = 2; page < 1000; ++page) {
    const auto taken = listing.take(result(page, R"("tools":[],"nextCursor":"again")"));
    if (taken) continue;
    BOOST_TEST((taken.error().code == Code::Limit));
    return;
  }
  BOOST_ERROR("pages without an end are asked for");
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_is_told_of_the_roots_and_of_nothing_else) {
  auto listing = initialized({"/home/u/a b", "/srv/\xc3\xa9"});
  BOOST_TEST(
      *listing.take(R"({"jsonrpc":"2.0","id":"r1","method":"roots/list"})") ==
      R"({"jsonrpc":"2.0","id":"r1","result":{"roots":[{"uri":"file:///home/u/a%20b"},{"uri":"file:///srv/%C3%A9"}]}})"
      "\n");
  BOOST_TEST(*listing.take(R"({"jsonrpc":"2.0","id":9,"method":"ping"})") == R"({"jsonrpc":"2.0","id":9,"result":{}})"
                                                                             "\n");
  for (const auto* method : {"sampling/createMessage", "elicitation/create", "x"})
    BOOST_TEST(holds(*listing.take(R"({"jsonrpc":"2.0","id":9,"method":")" + std::string(method) + "\"}"), "-32601"),
               method);
  BOOST_TEST(holds(*initialized().take(R"({"jsonrpc":"2.0","id":9,"method":"roots/list"})"), "-32601"));
  ToolsListing without({});
  BOOST_TEST(!holds(without.first(), "roots"));
  ToolsListing with({"/a"});
  BOOST_TEST(holds(with.first(), R"("capabilities":{"roots":{}})"));
}
