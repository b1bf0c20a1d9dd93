// SPDX-License-Identifier: Apache-2.0
//
// A verb that greets: GET /_link/greeting/<name> is answered, all else refused. It shows what every verb has: a check of
// its configuration, its routes, and a decision for each request that is made without waiting for anything.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <lnk/cpp/module.hpp>
#include <lnk/cpp/verb.hpp>

namespace {

constexpr std::string_view kBefore = R"({"greeting":")";
constexpr std::string_view kBehind = R"("})";

/// {"greeting":"…"}, of letters alone. The host writes it in canonical form, so that nothing else needs to be read here;
/// a verb with more to configure brings its own strict JSON reader.
std::optional<std::string> greeting_of(std::string_view config_json) {
  if (!config_json.starts_with(kBefore) || !config_json.ends_with(kBehind)) return std::nullopt;
  config_json.remove_prefix(kBefore.size());
  if (config_json.size() <= kBehind.size()) return std::nullopt;
  config_json.remove_suffix(kBehind.size());
  for (const char c : config_json) {
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) return std::nullopt;
  }
  return std::string(config_json);
}

class Greeting {
 public:
  static constexpr std::string_view kId = "verb-greeting";  // as the file's name
  static constexpr std::string_view kVersion = "1.0.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  /// What [verb.greeting] takes in a spec. Closed, so that a slip of a key is told with its line. A host or a port that the
  /// verb is to reach is marked by its format ("lnk-host", "lnk-inside-port"), and only what the spec says there is opened.
  static constexpr std::string_view kConfigSchema = R"({
    "type": "object",
    "properties": {"greeting": {"description": "What stands before the name.", "type": "string", "pattern": "^[A-Za-z]+$"}},
    "required": ["greeting"],
    "additionalProperties": false
  })";
  using Interfaces = lnk::Interfaces<lnk::VerbInterface>;

  static lnk::Status check_config(std::string_view config_json) {
    if (greeting_of(config_json)) return {};
    return lnk::fail(lnk::Code::Invalid, "a greeting of letters is wanted: {\"greeting\":\"hello\"}");
  }

  static lnk::Result<std::unique_ptr<Greeting>> create(lnk::Host, std::string_view config_json) {
    LNK_CHECK(check_config(config_json));
    return std::make_unique<Greeting>(*greeting_of(config_json));
  }

  explicit Greeting(std::string greeting) : greeting_(std::move(greeting)) {}

  lnk::Status declare(lnk::Declaration& declaration) { return declaration.route(LNK_ROUTE_PREFIX, "greeting/"); }

  lnk::Status event(const lnk::Event& event, lnk::Actions& actions) {
    const auto* head = std::get_if<lnk::HeadEvent>(&event.what);
    if (head == nullptr) return {};  // GONE: nothing is kept of a call
    if (head->route != 0) return lnk::fail(lnk::Code::Invalid, "a route that was not declared");
    if (head->method != "GET") return actions.deny(405, "bad-request", "only GET greets");
    if (head->path.empty()) return actions.deny(403, "path-refused", "whom? name them behind greeting/");
    const std::string body = greeting_ + ", " + std::string(head->path) + "\n";
    return actions.answer({200, {{"Content-Type", "text/plain"}}, body});
  }

 private:
  std::string greeting_;
};

}  // namespace

LNK_MODULE(Greeting)
