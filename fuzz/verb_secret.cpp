// SPDX-License-Identifier: Apache-2.0
//
// The secret verb behind the host's side of the boundary: a line that picks the secret, one each for the method, the
// path and the query ("-": none), then one a field ("Name: value"). What is written for the outside is read back: it
// goes to the one host, holds the secret once, in its place, and the placeholder nowhere; a path that the rule refuses, a
// parameter that overrides the method, Range, or a request without the placeholder is never written.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "entry.hpp"
#include "lnk/abi/module.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/http/head.hpp"
#include "lnk/http/write.hpp"
#include "lnk/route/path_shape.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/request_text.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_secret;

namespace lnk::fuzz {
namespace {

constexpr std::string_view kHost = "api.rig.test";
constexpr std::array<std::string_view, 4> kPlaceholders = {
    "4711:PLACEHOLDERplaceholder0123456789-_PLACEHOLD", "PLACEHOLDERplaceholder0123456789-_PLACEHOLDh",
    "PLACEHOLDERplaceholder0123456789-_PLACEHOLDb", "PLACEHOLDERplaceholder0123456789-_PLACEHOLDq"};
constexpr std::string_view kSecret = "4711:S3CR3T_of_the_real_one";
constexpr std::array<std::string_view, 4> kNames = {"path", "header", "basic", "query"};
constexpr std::string_view kConfig =
    R"({"secrets":[)"
    R"({"name":"path","placeholder":"4711:PLACEHOLDERplaceholder0123456789-_PLACEHOLD","rule":{"host":"api.rig.test",)"
    R"("methods":["GET","POST"],"paths":["bot{secret}/{name}","file/bot{secret}/{path}"],"refuse":["bot{secret}/close"]}},)"
    R"({"name":"header","placeholder":"PLACEHOLDERplaceholder0123456789-_PLACEHOLDh","rule":{"host":"api.rig.test",)"
    R"("methods":["GET","POST"],"paths":["v1/{path}"],"refuse":["v1/close"],"header":{"name":"Authorization","value":"Bearer {secret}"}}},)"
    R"({"name":"basic","placeholder":"PLACEHOLDERplaceholder0123456789-_PLACEHOLDb","rule":{"host":"api.rig.test",)"
    R"("methods":["GET","POST"],"paths":["v1/{path}"],"refuse":["v1/close"],"basic":{"user":"u","password":"{secret}"}}},)"
    R"({"name":"query","placeholder":"PLACEHOLDERplaceholder0123456789-_PLACEHOLDq","rule":{"host":"api.rig.test",)"
    R"("methods":["GET","POST"],"paths":["v1/{path}"],"refuse":["v1/close"],"query":{"name":"key"}}}]})";

/// The verb, made once.
struct Bench {
  lnk_instance* instance = nullptr;
  std::unique_ptr<host::LoadedVerb> verb;
  host::HandleStore handles;

  Bench() {
    ErrorSlot error;
    LNK_HOLDS(lnk_module_v1_verb_secret.create(nullptr, nullptr, to_str(kConfig), &instance, error.get()) == LNK_OK);
    const auto* table = lnk_module_v1_verb_secret.query(instance, to_str(LNK_VERB_ID), LNK_VERB_MAJOR);
    host::VerbUpstream granted{std::string(kHost), 443, {}};
    for (const auto name : kNames) {
      granted.handles.push_back("secret:" + std::string(name));
      handles.put(granted.handles.back(), secret::SecretBytes(kSecret));
    }
    auto made = host::LoadedVerb::make("verb-secret", *reinterpret_cast<const lnk_verb*>(table), instance, {granted});
    LNK_HOLDS(made.has_value());
    verb = std::move(made).value();
  }
};

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// As the strict head parser lets fields through.
std::vector<http::Field> read_fields(std::string_view text) {
  std::vector<http::Field> fields;
  while (!text.empty() && fields.size() < 16) {
    const auto line = take_line(text);
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos || !http::is_token(line.substr(0, colon))) continue;
    const auto value = line.substr(colon + 2);
    const auto odd = [](char c) { return c < 0x20 || c >= 0x7f; };
    if (std::none_of(value.begin(), value.end(), odd)) fields.push_back({line.substr(0, colon), value});
  }
  return http::end_to_end_fields(fields);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The written head, read by the strict parser.
void check_written(std::string_view head, std::size_t secret) {
  const auto parsed = http::parse_request(head);
  LNK_HOLDS(!http::is_refused(parsed));
  const auto& request = std::get<http::RequestHead>(parsed);
  LNK_HOLDS(request.authority.host.text == kHost && request.form == http::TargetForm::Origin);
  LNK_HOLDS(head.find(kPlaceholders[secret]) == std::string_view::npos);
  LNK_HOLDS(request.method == "GET" || request.method == "POST");
  LNK_HOLDS(route::is_plain_path(request.path.substr(1)));
  std::string folded(request.path);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  LNK_HOLDS(secret == 0 ? !(folded.starts_with("/bot") && folded.ends_with("/close")) : folded != "/v1/close");
  LNK_HOLDS(!http::find_field(request.fields, "range") && !http::find_field(request.fields, "cookie"));
  const std::string query = "&" + std::string(request.query);
  for (const auto* refused : {"&_method=", ";_method=", "&access_token=", ";access_token="})
    LNK_HOLDS(query.find(refused) == std::string::npos);
  const auto authorization = http::find_field(request.fields, "authorization");
  LNK_HOLDS(authorization.has_value() == (secret == 1 || secret == 2));
  if (secret < 2) LNK_HOLDS(count(head, kSecret) == 1);
  if (secret == 0) LNK_HOLDS(request.path.find("bot" + std::string(kSecret) + '/') != std::string_view::npos);
  if (secret == 1) LNK_HOLDS(*authorization == "Bearer " + std::string(kSecret));
  if (secret == 2) LNK_HOLDS(*authorization == "Basic dTo0NzExOlMzQ1IzVF9vZl90aGVfcmVhbF9vbmU=");
  if (secret == 3) LNK_HOLDS(request.query.ends_with("key=4711%3AS3CR3T_of_the_real_one"));
}

/// A program that held the secret itself would make "once" untrue.
bool names_secret(std::string_view input) { return input.find("S3CR3T") != std::string_view::npos; }

}  // namespace

void check(std::string_view input) {
  static Bench bench;
  if (names_secret(input)) return;
  std::string_view rest = input;
  const auto pick = take_line(rest);
  const std::size_t secret = pick.empty() ? 0 : static_cast<unsigned char>(pick.front()) % kNames.size();
  host::HeadFacts head;
  head.route = static_cast<std::uint32_t>(pick.size() > 1 ? kNames.size() : secret);
  head.method = take_line(rest);
  head.path = take_line(rest);
  const auto query = take_line(rest);
  if (query != "-") head.query = query;
  const auto fields = read_fields(rest);
  head.fields = fields;
  host::Call call(bench.verb->limits());
  const auto id = bench.verb->open(call);
  const auto decided = bench.verb->head(id, head);
  bench.verb->gone(id);
  LNK_HOLDS(!std::holds_alternative<host::ModuleFault>(decided));
  const auto* plan = std::get_if<host::RelayPlan>(&decided);
  if (plan == nullptr) return;
  const auto written = host::write_request_head(*plan, fields, {}, bench.handles);
  LNK_HOLDS(written.has_value());
  if (head.route == secret) check_written(written->reveal(), secret);
}

}  // namespace lnk::fuzz
