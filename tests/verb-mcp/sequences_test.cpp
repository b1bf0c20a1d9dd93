// SPDX-License-Identifier: Apache-2.0
//
// Everybody says what comes to their mind, by a seed: what must hold of the verb does.
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "mcp_model.hpp"

namespace {

constexpr int kSeeds = 300;
constexpr int kSteps = 120;

/// One step, more often one that leads on.
std::string step(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const std::string id = std::to_string(below(4));
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}},"progressToken":1})";
  const auto request = [&](const char* method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params + "}}";
  };
  constexpr const char* kMethods[] = {"tools/list",  "tools/call", "tools/call", "resources/read",
                                      "prompts/get", "ping",       "tasks/list", "roots/list"};
  const char* method = kMethods[below(8)];
  switch (below(18)) {
    case 0: return "P" + std::string(lnk::test::kInitialize);
    case 1: case 2: case 3: return "S" + request(method, R"("name":"w","uri":"file:///x","arguments":{})");
    case 4: case 5: return "N" + request(method, R"("name":"w","arguments":{},)" + meta);
    case 6: return "N" + request("tools/call", R"("name":"w","inputResponses":{"r":{"roots":[{"uri":"file:///"}]}},)" + meta);
    case 7: case 8: case 9: return "A";
    case 10: return std::string(1, "ynt"[below(3)]);
    case 11: return "y";
    case 12: return "g";
    case 13: return std::string(1, "xfwD"[below(4)]);
    case 14: return "G" + (below(2) == 0 ? std::string() : id + '-' + std::to_string(below(3)));
    case 15:
      return R"(L{"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + (below(2) == 0 ? "roots/list" : "sampling/createMessage") +
             "\"}";
    case 16: return R"(L{"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    default:
      return below(2) == 0
                 ? R"(S{"jsonrpc":"2.0","id":)" + std::to_string(below(12)) + R"(,"result":{"roots":[],"role":"assistant"}})"
                 : R"(S{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_is_said_in_whatever_order_nothing_goes_without_its_yes) {
  std::size_t asked = 0;
  std::size_t lines = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::string script;
    for (int at = 0; at < kSteps; ++at) script += step(random) + '\n';
    lnk::test::McpModel model(lnk::test::kAsks);
    for (const auto& fault : model.run(script)) BOOST_ERROR("seed " << seed << ": " << fault);
    asked += model.asked_sent();
    lines += model.lines_sent();
  }
  BOOST_TEST(asked > 100U);  // the steps lead somewhere
  BOOST_TEST(lines > 2000U);
}
