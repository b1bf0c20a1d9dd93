// SPDX-License-Identifier: Apache-2.0
#include "passed_names.hpp"

#include <algorithm>
#include <array>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_secret {
namespace {

using secret::letters_and_digits;

/// Fields that API clients send, in lower case; a * at one end stands for any text. What the host writes itself (Host,
/// Content-Length, Connection and its kin) never comes here. Left out on purpose, beside credentials and overrides: Range
/// and its kin, by which an echoed secret could come in parts that nobody would know; Accept-Charset, by which it could come
/// in other bytes; Cookie, Origin, Referer and From,
/// which say who asks; Forwarded, Via and all that speaks of proxies; Destination and what else names a second target.
constexpr auto kPassedFields = std::to_array<std::string_view>({
    // RFC 9110, 9111, 9530, 6266, 7240: what is wanted, what the body is, and on which condition.
    "accept", "accept-language", "cache-control", "content-digest", "content-disposition", "content-encoding",
    "content-language", "content-md5", "content-range", "content-type", "date", "digest", "if-match", "if-modified-since",
    "if-none-match", "if-unmodified-since", "pragma", "prefer", "repr-digest", "user-agent", "want-content-digest",
    "want-repr-digest",
    // Said once though sent twice; told again in a log.
    "idempotency-key", "x-idempotency-key", "request-id", "x-request-id", "x-client-request-id", "x-correlation-id",
    "traceparent", "tracestate",
    // Which version of an interface: notion-version, stripe-version, anthropic-version, x-github-api-version, …
    "*-version",
    // Services' own, and those of the clients that are made for them.
    "anthropic-beta", "anthropic-dangerous-direct-browser-access", "git-protocol", "http-referer", "openai-beta",
    "openai-organization", "openai-project", "x-app", "x-audit-log-reason", "x-goog-api-client", "x-goog-fieldmask",
    "x-requested-with", "x-stainless-*", "x-title", "x-upload-content-length", "x-upload-content-type"});

/// Names that carry a credential, as letters_and_digits gives them; a * at one end stands for any text.
constexpr auto kCredentialParameters = std::to_array<std::string_view>({
    "accesskey", "accesstoken", "apisecret", "apitoken", "appkey", "appsecret", "apptoken", "auth", "authentication",
    "authenticationtoken", "authkey", "authorization", "authtoken", "bearer", "bearertoken", "clientsecret", "consumerkey",
    "credential", "credentials", "hapikey", "idtoken", "jobtoken", "jsessionid", "jwt", "oauth*", "passwd", "password", "phpsessid",
    "privatekey", "privatetoken", "pwd", "qak", "refreshtoken", "secret", "secretkey", "securitytoken", "sessionid", "sessiontoken",
    "sid", "sig", "subscriptionkey", "token", "userkey", "xamz*", "xauth*", "xcos*", "xgoog*", "xoss*", "xtos*", "*accessid",
    "*accesskeyid", "*apikey", "*signature"});

/// Names by which a server takes another method, other fields or another path than were checked.
constexpr auto kOverrideParameters = std::to_array<std::string_view>({
    "httpmethod", "xhttpmethod*", "httpmethodoverride", "methodoverride", "overridemethod", "xmethod", "xmethodoverride",
    "requestmethod", "httpheaders", "xoriginalurl", "xrewriteurl"});

bool fits(std::string_view pattern, std::string_view name) noexcept {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return name == pattern;
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& patterns) noexcept {
  return std::any_of(patterns.begin(), patterns.end(), [name](auto pattern) { return fits(pattern, name); });
}

/// "_method" and "$method", but not "method", which names a call at many services.
bool is_marked_method(std::string_view name, std::string_view letters) noexcept {
  return letters == "method" && letters_and_digits(name.substr(0, 1)).empty();
}

}  // namespace

bool is_passed_field(const secret::Rule& rule, std::string_view name) {
  const auto low = folded(name);
  const auto is_it = [&low](const std::string& named) { return folded(named) == low; };
  return is_one_of(low, kPassedFields) || std::any_of(rule.fields.begin(), rule.fields.end(), is_it);
}

std::string_view parameter_fault(const secret::Rule& rule, std::string_view name) {
  const auto letters = letters_and_digits(name);
  if (letters.empty()) return {};
  if (is_one_of(letters, kOverrideParameters) || is_marked_method(name, letters))
    return "could make the request another than the one that is checked";
  if (rule.place == secret::Place::Query && letters == letters_and_digits(rule.field))
    return "could be read in place of the rule's own";
  if (std::find(rule.parameters.begin(), rule.parameters.end(), name) != rule.parameters.end()) return {};
  if (is_one_of(letters, kCredentialParameters))
    return "could be another credential beside the secret; the rule's \"parameters\" would allow it";
  return {};
}

}  // namespace lnk::verb_secret
