// SPDX-License-Identifier: Apache-2.0
//
// A verb of others with a table of its own in a spec, [verb.tabled]. Built for tests and never installed. Below tabled/:
//   table          answers with the table as it was given
//   out/<host>     relays to that host, whether or not it was declared
//   ask/<words>    asks the person, and answers with what was said
//   in/<port>      calls the program there, and answers with what it said
// It declares the hosts of its table, and with "also" one that the table opens to nobody.
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lnk/cpp/verb.hpp"

namespace {

using lnk::Actions;
using lnk::Status;

/// What stands in quotes behind a key, up to an end. The table is canonical JSON, and the tests' have nothing escaped.
std::vector<std::string> strings_behind(std::string_view json, std::string_view key, char end) {
  std::vector<std::string> out;
  auto at = json.find(key);
  if (at == std::string_view::npos) return out;
  json.remove_prefix(at + key.size());
  json = json.substr(0, json.find(end));
  while ((at = json.find('"')) != std::string_view::npos) {
    json.remove_prefix(at + 1);
    const auto close = json.find('"');
    out.emplace_back(json.substr(0, close));
    json.remove_prefix(close == std::string_view::npos ? json.size() : close + 1);
  }
  return out;
}

std::uint16_t number_of(std::string_view text) {
  std::uint16_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class Tabled {
 public:
  static constexpr std::string_view kId = "verb-tabled";
  static constexpr std::string_view kVersion = "1.0.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  static constexpr std::string_view kConfigSchema = R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
      "greeting": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 12},
      "hosts": {"type": "array", "items": {"type": "string", "format": "lnk-host"}, "uniqueItems": true},
      "ports": {"type": "array", "items": {"$ref": "#/$defs/port"}},
      "also": {"type": "array", "items": {"type": "string"}},
      "retries": {"type": "integer", "minimum": 1, "maximum": 9},
      "share": {"type": "number"},
      "mode": {"enum": ["fast", "slow"]}
    },
    "required": ["greeting"],
    "additionalProperties": false,
    "$defs": {"port": {"type": "integer", "format": "lnk-inside-port"}}
  })";
  using Interfaces = lnk::Interfaces<lnk::VerbInterface>;

  static Status check_config(std::string_view config) {
    const bool is_table = config.starts_with('{') && config.ends_with('}');
    if (!is_table || config.find(R"("greeting":")") == std::string_view::npos)
      return lnk::fail(lnk::Code::Invalid, "a table with a greeting is wanted");
    // What no schema says.
    if (config.find(R"("greeting":"nobody")") != std::string_view::npos)
      return lnk::fail(lnk::Code::Invalid, "nobody is not greeted");
    return {};
  }
  static lnk::Result<std::unique_ptr<Tabled>> create(lnk::Host, std::string_view config) {
    LNK_CHECK(check_config(config));
    return std::make_unique<Tabled>(std::string(config));
  }
  explicit Tabled(std::string table) : table_(std::move(table)) {}

  Status declare(lnk::Declaration& declaration) {
    LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "tabled/"));
    for (const auto* key : {R"("also":)", R"("hosts":)"}) {
      for (const auto& host : strings_behind(table_, key, ']')) {
        const auto colon = host.find(':');
        LNK_CHECK(declaration.upstream(host.substr(0, colon),
                                       colon == std::string::npos ? 443 : number_of(host.substr(colon + 1)), true));
      }
    }
    return {};
  }

  Status event(const lnk::Event& event, Actions& actions) {
    if (const auto* head = std::get_if<lnk::HeadEvent>(&event.what)) {
      if (head->route != 0) return lnk::fail(lnk::Code::Invalid, "a route that was not declared");
      return begin(head->path, actions);
    }
    if (const auto* inside = std::get_if<lnk::InsideReplyEvent>(&event.what))
      return actions.answer({200, {}, "inside said " + std::to_string(inside->http_status) + "\n"});
    if (const auto* answered = std::get_if<lnk::AnsweredEvent>(&event.what)) {
      const char* words = answered->answer == lnk::Answer::Yes ? "yes\n" : answered->answer == lnk::Answer::No ? "no\n" : "timed out\n";
      return actions.answer({200, {}, words});
    }
    return {};
  }

 private:
  Status begin(std::string_view path, Actions& actions) const {
    if (path == "table") return actions.answer({200, {{"Content-Type", "application/json"}}, table_});
    if (path.starts_with("out/")) {
      lnk::Relay relay;
      relay.host = path.substr(4);
      relay.method = "GET";
      relay.target = lnk::Value("/");
      return actions.relay(relay);
    }
    if (path.starts_with("ask/")) {
      const std::string words(path.substr(4));
      // What would clear the screen, turn what follows around, or look like another letter.
      constexpr std::string_view kOdd = "\x1b[2J\x1b]0;title\x07 \xe2\x80\xae" "txet \xd0\xb0pple <b>bold</b> &amp; %s";
      const std::string url = "https://example.test/?q=" + std::string(1000, 'u') + "-end";
      const std::string cut = "begin " + std::string(5000, 'x') + " end";
      LNK_TRY([[maybe_unused]] const auto id, actions.ask("do a thing", std::array<std::string_view, 4>{words, kOdd, url, cut}));
      return {};
    }
    if (path.starts_with("in/")) {
      LNK_TRY([[maybe_unused]] const auto id,
              actions.call_inside({number_of(path.substr(3)), "GET", "/called", "localhost", "", ""}));
      return {};
    }
    return actions.deny(403, "path-refused", "table, out/HOST, ask/WORDS or in/PORT");
  }

  std::string table_;
};

}  // namespace

LNK_MODULE(Tabled)
