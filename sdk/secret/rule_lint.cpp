// SPDX-License-Identifier: Apache-2.0
#include "rule_lint.hpp"

#include <algorithm>
#include <array>

#include "lnk/cpp/ascii.hpp"

namespace lnk::secret {
namespace {

constexpr std::string_view kSecret = "{secret}";
constexpr std::size_t kHostBytesMax = 253;  // RFC 1035 2.3.4, as text
constexpr std::size_t kLabelBytesMax = 63;

bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_unreserved(char c) noexcept {
  return is_letter(c) || is_digit(c) || std::string_view("-._~").find(c) != std::string_view::npos;
}
bool is_token(char c) noexcept {
  return is_letter(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

/// Servers take what stands for a - for it: CGI (RFC 3875 4.1.18) the _, some every other sign.
std::string as_servers_name_it(std::string_view name) {
  auto text = folded(name);
  std::replace_if(text.begin(), text.end(), [](char c) { return !is_lower(c) && !is_digit(c); }, '-');
  return text;
}

/// As resolvers read an address (WHATWG URL 3.5): digits, or 0x and hex.
bool is_number(std::string_view label) noexcept {
  const bool is_hex = label.starts_with("0x");
  if (is_hex) label.remove_prefix(2);
  return std::all_of(label.begin(), label.end(), [is_hex](char c) { return is_digit(c) || (is_hex && c >= 'a' && c <= 'f'); });
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) noexcept {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_label(std::string_view label) noexcept {
  return !label.empty() && label.size() <= kLabelBytesMax && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

/// Fields that name a host, frame the message or are the wire's own: a secret in one could reach another host.
constexpr auto kFramingFields = std::to_array<std::string_view>({
    "host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "expect", "keep-alive", "via", "forwarded",
    "location", "accept-encoding", "content-type", "content-encoding", "range", "destination", "content-location", "alt-used",
    "http2-settings", "x-url"});
/// In fields by which servers take another method, path or host: X-HTTP-Method-Override, X-Original-URL, …
constexpr std::array<std::string_view, 7> kOverrideWords = {"override",  "x-http-method", "x-method",   "x-original",
                                                            "x-rewrite", "x-host",        "x-forwarded"};
/// Fields that servers commonly write to their logs.
constexpr auto kLoggedFields = std::to_array<std::string_view>({
    "user-agent", "referer", "origin", "from", "x-request-id", "request-id", "x-client-request-id", "x-correlation-id", "x-trace-id",
    "x-amzn-trace-id", "traceparent", "tracestate", "baggage", "x-real-ip", "x-client-ip", "client-ip", "true-client-ip",
    "cf-connecting-ip"});
constexpr std::array<std::string_view, 6> kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};

}  // namespace

std::string_view host_fault(std::string_view host) noexcept {
  if (host.empty()) return "is missing: name the one host the secret goes to";
  if (host.find('*') != std::string_view::npos) return "'*' could send the secret to more than one host";
  if (host.find("://") != std::string_view::npos) return "is a name alone, with no scheme";
  if (host.find_first_of("/@:, {}") != std::string_view::npos) return "is one name alone, with no port, path or user";
  if (host.size() > kHostBytesMax) return "is longer than a name can be";
  std::size_t labels = 0;
  bool last_is_number = false;
  for (std::size_t at = 0; at <= host.size();) {
    const auto label = host.substr(at, std::min(host.find('.', at), host.size()) - at);
    if (!is_label(label)) return "is a DNS name in lower-case ASCII (an IDN as punycode), with no dot at its end";
    last_is_number = is_number(label);
    ++labels;
    at += label.size() + 1;
  }
  if (last_is_number) return "is an address: TLS needs the service's name";
  if (labels < 2 || host.ends_with(".localhost")) return "is a name of this machine's network, not of a service";
  return {};
}

std::string_view method_fault(std::string_view method) noexcept {
  return is_one_of(method, kMethods) ? std::string_view{} : "is one of GET, HEAD, POST, PUT, PATCH, DELETE";
}

std::string_view header_fault(std::string_view name) noexcept {
  if (name.empty() || name.size() > kTemplateBytesMax || !std::all_of(name.begin(), name.end(), is_token)) {
    return "is no header's name";
  }
  const auto folded = as_servers_name_it(name);
  const auto is_in = [&folded](std::string_view word) { return folded.find(word) != std::string::npos; };
  if (is_one_of(folded, kFramingFields) || folded.starts_with("proxy-") || folded.starts_with("sec-") ||
      std::any_of(kOverrideWords.begin(), kOverrideWords.end(), is_in)) {
    return "names a host or frames the message, so the secret could reach another host";
  }
  if (is_one_of(folded, kLoggedFields)) return "is a field that servers log";
  return {};
}

std::string_view passed_field_fault(std::string_view name) noexcept {
  // What is logged may pass: it is the secret that may not stand in it.
  return is_one_of(as_servers_name_it(name), kLoggedFields) ? std::string_view{} : header_fault(name);
}

std::string_view query_name_fault(std::string_view name) noexcept {
  return name.empty() || name.size() > kTemplateBytesMax || !is_query_text(name)
             ? "is letters, digits, '-', '.', '_' and '~'"
             : std::string_view{};
}

bool is_field_text(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool is_query_text(std::string_view text) noexcept { return std::all_of(text.begin(), text.end(), is_unreserved); }

Result<Template> parse_template(std::string_view text) {
  if (text.size() > kTemplateBytesMax) return fail(Code::Limit, "is over 256 bytes");
  const auto at = text.find(kSecret);
  if (at == std::string_view::npos) return fail(Code::Invalid, "has no {secret} in it");
  const auto before = text.substr(0, at);
  const auto after = text.substr(at + kSecret.size());
  if ((std::string(before) + std::string(after)).find_first_of("{}") != std::string::npos) {
    return fail(Code::Invalid, "has {secret} once and no other brace");
  }
  return Template{std::string(before), std::string(after)};
}

std::string_view placeholder_form_fault(std::string_view form) noexcept {
  constexpr std::string_view kRandom = "{placeholder}";
  constexpr std::string_view kId = "{id}";
  if (form.size() > kTemplateBytesMax) return "is over 256 bytes";
  std::size_t randoms = 0;
  std::size_t ids = 0;
  for (std::size_t at = 0; at < form.size();) {
    const auto rest = form.substr(at);
    const bool random = rest.starts_with(kRandom);
    const bool id = rest.starts_with(kId);
    if (!random && !id && !is_unreserved(rest.front()) && rest.front() != ':')
      return "is {placeholder}, {id} and plain text";
    randoms += random ? 1U : 0U;
    ids += id ? 1U : 0U;
    at += random ? kRandom.size() : id ? kId.size() : 1;
  }
  return randoms == 1 && ids <= 1 ? std::string_view{} : "has {placeholder} once, and {id} at most once";
}

}  // namespace lnk::secret
