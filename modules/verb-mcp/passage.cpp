// SPDX-License-Identifier: Apache-2.0
#include "passage.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_mcp {
namespace {

using jsonfilter::Item;
using Names = std::span<const std::string_view>;

constexpr auto kCapabilities = std::to_array<std::string_view>({"sampling", "elicitation", "tasks", "experimental", "extensions"});
/// Of an answer to sampling or elicitation. One to roots/list has "roots", and is not taken.
constexpr auto kAnswerMembers =
    std::to_array<std::string_view>({"action", "content", "role", "model", "stopReason", "task", "_meta"});

bool is_of(std::string_view name, Names names) { return std::find(names.begin(), names.end(), name) != names.end(); }

void keep_members(Json& object, Names names) {
  object.erase_if([names](const Item& item) { return !is_of(item.key, names); });
}

void keep_capabilities(Document& document, Json& capabilities, bool has_roots) {
  if (!capabilities.is_object()) return;
  keep_members(capabilities, kCapabilities);
  if (has_roots) document.set(capabilities, "roots", document.make_object({}));
}

void keep_answers(Json& answers) {
  answers.erase_if([](const Item& item) { return !item.value.is_object(); });
  for (Item& item : answers.items()) keep_members(item.value, kAnswerMembers);
  answers.erase_if([](const Item& item) { return item.value.items().empty(); });
}

/// As RFC 8089 and RFC 3986 3.3 have it: bytes that mean themselves in a path, the rest encoded.
std::string file_uri(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    if (is_plain) {
      uri += c;
      continue;
    }
    uri += '%';
    uri += kHex[static_cast<unsigned char>(c) >> 4U];
    uri += kHex[static_cast<unsigned char>(c) & 15U];
  }
  return uri;
}

Json* member_of(Json& object, std::string_view outer, std::string_view key) {
  Json* found = object.find(outer);
  return found == nullptr ? nullptr : found->find(key);
}

bool asks_for_roots(const Item& item) {
  const Json* method = item.value.find("method");
  return method != nullptr && method->text() == "roots/list";
}

/// The params of the request, with an answer for each key that was asked.
std::string params_with_roots(std::string_view params_json, const Json& result, Names keys, std::string_view roots) {
  auto params = jsonfilter::parse(params_json);
  if (!params) return {};
  auto answer = jsonfilter::parse(roots);
  if (!answer) return {};
  Json& root = params->root();
  Json answers = params->make_object({});
  for (const std::string_view key : keys) params->set(answers, key, answer->root());
  params->set(root, "inputResponses", answers);
  root.erase_if([](const Item& item) { return item.key == "requestState"; });
  if (const Json* state = result.find("requestState"); state != nullptr) params->set(root, "requestState", *state);
  return jsonfilter::write(root);
}

}  // namespace

void keep_allowed(Message& message, const Method& method, bool has_roots) {
  if (!message.params.is_object()) return;
  keep_members(message.params, method.members);
  // MCP has an object there, and what is shown of it are its members.
  message.params.erase_if([](const Item& item) { return item.key == "_meta" && !item.value.is_object(); });
  if (method.name == "initialize") {
    if (Json* capabilities = message.params.find("capabilities")) keep_capabilities(message.document, *capabilities, has_roots);
  }
  if (Json* capabilities = member_of(message.params, "_meta", kCapabilitiesKey))
    keep_capabilities(message.document, *capabilities, has_roots);
  if (Json* answers = message.params.find("inputResponses")) keep_answers(*answers);
}

void keep_answer(Message& response, std::string_view method) {
  if (method == "sampling/createMessage" || method == "elicitation/create") return keep_members(response.result, kAnswerMembers);
  response.result.erase_if([](const Item& item) { return same_folded(item.key, "roots"); });
}

std::optional<Id> swap_progress_token(Message& message, std::string_view own_number) {
  Json* meta = message.params.find("_meta");
  if (meta == nullptr || !meta->is_object()) return std::nullopt;
  const auto token = Id::read(meta->find("progressToken"));
  if (!token) {
    meta->erase_if([](const Item& item) { return item.key == "progressToken"; });
    return std::nullopt;
  }
  message.document.set(*meta, "progressToken", Json::number(message.document.keep(own_number)));
  return token;
}

void set_member(Message& message, std::string_view key, const Id& id) {
  Json* member = message.params.find(key);
  if (member == nullptr) return;
  const auto kept = message.document.keep(id.text);
  *member = id.is_string ? Json::string(kept) : Json::number(kept);
}

std::optional<Id> subscription_of(const Message& message) {
  const Json& body = message.kind == Message::Kind::Response ? message.result : message.params;
  const Json* meta = body.find("_meta");
  return meta == nullptr ? std::nullopt : Id::read(meta->find(kSubscriptionKey));
}

void set_subscription(Message& message, const Id& id) {
  Json& body = message.kind == Message::Kind::Response ? message.result : message.params;
  Json* member = member_of(body, "_meta", kSubscriptionKey);
  if (member == nullptr) return;
  const auto kept = message.document.keep(id.text);
  *member = id.is_string ? Json::string(kept) : Json::number(kept);
}

std::string roots_json(const std::vector<std::string>& folders) {
  std::string out = R"({"roots":[)";
  for (const std::string& folder : folders) {
    if (&folder != &folders.front()) out += ',';
    out += R"({"uri":)";
    jsonfilter::append_string(out, file_uri(folder));
    out += '}';
  }
  return out += "]}";
}

std::optional<RootsWanted> take_roots_wanted(Message& reply, std::string_view params_json,
                                             const std::vector<std::string>& folders) {
  Json* wanted = reply.result.find("inputRequests");
  if (wanted == nullptr || !wanted->is_object()) return std::nullopt;
  std::vector<std::string_view> keys;
  for (const Item& item : wanted->items())
    if (asks_for_roots(item)) keys.push_back(item.key);
  if (keys.empty()) return std::nullopt;
  RootsWanted found;
  found.is_all = keys.size() == wanted->items().size();
  if (found.is_all) {
    found.params = params_with_roots(params_json, reply.result, keys, roots_json(folders));
  } else {
    wanted->erase_if(asks_for_roots);
  }
  return found;
}

void keep_known_versions(Message& reply) {
  Json* versions = reply.result.find("supportedVersions");
  if (versions == nullptr) return;
  versions->erase_if(
      [](const Item& item) { return item.value.text() != kStatelessVersion && !is_session_version(item.value.text()); });
}

}  // namespace lnk::verb_mcp
