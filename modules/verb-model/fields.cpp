// SPDX-License-Identifier: Apache-2.0
#include "fields.hpp"

#include <algorithm>
#include <array>

#include "lnk/cpp/ascii.hpp"
#include "lnk/secret/constant_time.hpp"

namespace lnk::verb_model {
namespace {

/// What model clients send that a provider needs, in to_lower case; a * at the end stands for any text. Left out on purpose, beside
/// every credential: Cookie, what speaks of proxies and addresses, and what chooses another account, workspace or profile.
constexpr auto kPassedFields = std::to_array<std::string_view>({
    "accept", "accept-language", "user-agent", "idempotency-key", "x-idempotency-key", "anthropic-version", "openai-beta",
    "x-stainless-*", "x-goog-api-client", "http-referer", "x-title"});
constexpr std::string_view kBeta = "anthropic-beta";
constexpr std::string_view kVersion = "anthropic-version";
/// From this version on Anthropic's own client sends its key as a bearer's.
constexpr std::string_view kBearerVersion = "2026-10-21";
constexpr std::string_view kScheme = "bearer ";
constexpr std::size_t kParameterBytesMax = 256;

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto part = text.substr(at, std::min(text.find(mark, at), text.size()) - at);
    parts.push_back(part);
    at += part.size() + 1;
  }
  return parts;
}

bool is_passed(std::string_view name) {
  const auto text = folded(name);
  return std::any_of(kPassedFields.begin(), kPassedFields.end(), [&text](std::string_view passed) {
    return passed.ends_with('*') ? text.starts_with(passed.substr(0, passed.size() - 1)) : text == passed;
  });
}

std::string_view field_name(KeyField field) noexcept {
  switch (field) {
    case KeyField::XApiKey: return "x-api-key";
    case KeyField::ApiKey: return "api-key";
    case KeyField::XGoogApiKey: return "x-goog-api-key";
    default: return "authorization";
  }
}

bool is_right(KeyField field, std::string_view placeholder, std::string_view value) {
  if (field != KeyField::Bearer) return secret::equal_constant_time(placeholder, value);
  if (value.size() < kScheme.size() || folded(value.substr(0, kScheme.size())) != kScheme) return false;
  return secret::equal_constant_time(placeholder, trimmed(value.substr(kScheme.size())));
}

bool is_right_in_query(std::string_view placeholder, const HeadEvent& head) {
  constexpr std::string_view kKey = "key=";
  bool found = false;
  if (!head.query) return false;
  for (const auto parameter : split(*head.query, '&')) {
    const bool right = parameter.starts_with(kKey) && secret::equal_constant_time(placeholder, parameter.substr(kKey.size()));
    found = found || right;
  }
  return found;
}

/// The betas that pass, of every field of the name.
std::string kept_betas(const Policy& policy, const Fields& fields) {
  std::string kept;
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (folded(fields[at].name) != kBeta) continue;
    for (const auto part : split(fields[at].value, ',')) {
      const auto name = trimmed(part);
      if (name.empty() || !(policy.server_tools || is_plain_beta(name))) continue;
      kept += (kept.empty() ? "" : ",") + std::string(name);
    }
  }
  return kept;
}

KeyField key_of(const Provider& provider, const Endpoint& endpoint, const HeadEvent& head) {
  const auto key = endpoint.key.value_or(provider.key);
  if (key != KeyField::Anthropic) return key;
  const auto version = head.fields.first(kVersion);
  return version && *version >= kBearerVersion ? KeyField::Bearer : KeyField::XApiKey;
}

bool is_plain_value(std::string_view value) noexcept {
  return value.size() <= kParameterBytesMax && std::all_of(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
  });
}

Denial bad_type(std::string_view what) {
  return {415, "bad-body", std::string(what) + "; only application/json in UTF-8 is read here"};
}

/// One, of JSON, with no parameter but the charset that JSON has.
bool is_json_type(std::string_view value) {
  const auto parts = split(value, ';');
  if (folded(trimmed(parts.front())) != "application/json") return false;
  return std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
    const auto text = folded(trimmed(part));
    return text == "charset=utf-8" || text == "charset=\"utf-8\"" || text.empty();
  });
}

}  // namespace

bool has_placeholder(const Provider& provider, std::string_view placeholder, const HeadEvent& head) {
  bool found = false;
  for (const auto field : provider.given) {
    if (field == KeyField::Query) {
      found = is_right_in_query(placeholder, head) || found;
      continue;
    }
    const auto name = field_name(field);
    for (std::size_t at = 0; at < head.fields.size(); ++at)
      if (folded(head.fields[at].name) == name) found = is_right(field, placeholder, head.fields[at].value) || found;
  }
  return found;
}

std::vector<FieldEdit> edits_of(const Provider& provider, const Endpoint& endpoint, const Policy& policy,
                                std::string_view placeholder, const HeadEvent& head) {
  std::vector<FieldEdit> edits;
  for (std::size_t at = 0; at < head.fields.size(); ++at) {
    const auto field = head.fields[at];
    const bool holds_placeholder =
        field.value.find(placeholder) != std::string_view::npos || field.name.find(placeholder) != std::string_view::npos;
    if (!is_passed(field.name) || holds_placeholder) edits.push_back(FieldEdit::remove(field.name));
  }
  if (const auto betas = kept_betas(policy, head.fields); !betas.empty()) edits.push_back(FieldEdit::set(kBeta, Value(betas)));
  // The host looks for the key in the reply, which it can't where the reply is encoded.
  edits.push_back(FieldEdit::set("Accept-Encoding", Value("identity")));
  if (endpoint.shape != kGoes) edits.push_back(FieldEdit::set("Content-Type", Value("application/json")));
  const auto key = key_of(provider, endpoint, head);
  Value value;
  if (key == KeyField::Bearer) value.text("Bearer ");
  edits.push_back(FieldEdit::set(field_name(key), std::move(value.handle("key:" + provider.name))));
  return edits;
}

std::variant<std::string, Denial> kept_query(const Endpoint& endpoint, const HeadEvent& head) {
  std::string kept;
  if (!head.query) return kept;
  std::vector<std::string_view> seen;
  for (const auto parameter : split(*head.query, '&')) {
    const auto name = parameter.substr(0, parameter.find('='));
    const auto value = parameter.size() > name.size() ? parameter.substr(name.size() + 1) : std::string_view();
    if (std::find(endpoint.query.begin(), endpoint.query.end(), name) == endpoint.query.end()) continue;
    if (!is_plain_value(value) || std::find(seen.begin(), seen.end(), name) != seen.end())
      return Denial{400, "bad-request", "the query's parameter '" + std::string(name) + "' stands twice or has no plain value"};
    seen.push_back(name);
    kept += (kept.empty() ? "" : "&") + std::string(parameter);
  }
  return kept;
}

std::variant<jsonfilter::Coding, Denial> coding_of_body(const HeadEvent& head) {
  if (!head.has_body) return Denial{400, "bad-body", "the request has no body"};
  if (head.fields.count("content-type") != 1) return bad_type("the body has no content type, or two");
  if (!is_json_type(*head.fields.first("content-type"))) return bad_type("the body's content type or charset is another");
  const auto codings = head.fields.count("content-encoding");
  if (codings == 0) return jsonfilter::Coding::Identity;
  const auto coding = codings == 1 ? jsonfilter::coding_of(trimmed(*head.fields.first("content-encoding"))) : std::nullopt;
  if (!coding) return Denial{415, "bad-body", "the body's coding isn't read here; gzip and zstd are, and none at all"};
  return *coding;
}

}  // namespace lnk::verb_model
