// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/page_url.hpp"

#include <algorithm>
#include <utility>

#include "ascii.hpp"

namespace lnk::http {
namespace {

Refusal refuse(std::string words) { return Refusal{403, "page-refused", std::move(words)}; }
Refusal too_long() { return Refusal{413, "too-large", "a URL of more than 16 KiB, which nobody can read whole"}; }

/// What RFC 3986 allows nowhere, and browsers encode or pass as it is.
bool is_encoded(char c) noexcept {
  return is_high(c) || std::string_view("\"<>^`{|}").find(c) != std::string_view::npos;
}

/// Empty, or what is wrong with it.
std::string_view check_bytes(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') return "a URL with a backslash, which browsers read as a slash; write it as %5C";
    if (c == ' ') return "a URL with a blank; write it as %20, and send one URL alone";
    if (is_control(c)) return "a URL with a control character or a line's end";
    if (c != '%') continue;
    if (at + 2 >= text.size() || !is_hex_digit(text[at + 1]) || !is_hex_digit(text[at + 2]))
      return "a URL with a % that two hexadecimal digits don't follow; write it as %25";
  }
  return {};
}

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (!is_encoded(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xfU];
  }
  return out;
}

bool has_high_bytes(std::string_view text) noexcept { return std::any_of(text.begin(), text.end(), is_high); }

/// Takes "http://" or "https://" off, in any case of its letters; nothing: it is neither.
bool take_scheme(std::string_view& text, bool& has_tls) noexcept {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!same_folded(text.substr(0, scheme.size()), scheme)) continue;
    has_tls = scheme == "https://";
    text.remove_prefix(scheme.size());
    return true;
  }
  return false;
}

void write(PageUrl& page, std::string_view fragment) {
  constexpr std::uint16_t kHttp = 80;
  constexpr std::uint16_t kHttps = 443;
  const auto usual = page.has_tls ? kHttps : kHttp;
  if (page.authority.port == 0) page.authority.port = usual;
  page.url = (page.has_tls ? "https://" : "http://") + page.authority.to_text(usual) + page.path;
  if (page.has_query) page.url += '?' + page.query;
  page.url += fragment;
}

/// Of a page's query, in which every % is followed by two digits.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      out += static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2]));
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

}  // namespace

Checked<PageUrl> parse_page_url(std::string_view text) {
  if (text.size() > kPageUrlBytesMax) return too_long();
  if (const auto words = check_bytes(text); !words.empty()) return refuse(std::string(words));
  PageUrl page;
  if (!take_scheme(text, page.has_tls))
    return refuse("no URL that begins with http:// or https://; only pages are opened");
  const auto authority_text = text.substr(0, text.find_first_of("/?#"));
  text.remove_prefix(authority_text.size());
  if (has_high_bytes(authority_text)) return refuse("a host that isn't plain ASCII; write it in its xn-- form");
  auto authority = parse_authority(authority_text);
  if (const auto* refusal = std::get_if<Refusal>(&authority)) return refuse("a URL with " + refusal->words);
  page.authority = std::get<Authority>(std::move(authority));
  const auto before_fragment = text.substr(0, text.find('#'));
  const auto fragment = encoded(text.substr(before_fragment.size()));
  const auto path = before_fragment.substr(0, before_fragment.find('?'));
  page.has_query = path.size() < before_fragment.size();
  page.path = path.empty() ? "/" : encoded(path);
  if (page.has_query) page.query = encoded(before_fragment.substr(path.size() + 1));
  write(page, fragment);
  if (page.url.size() > kPageUrlBytesMax) return too_long();
  return page;
}

bool is_loopback(const Host& host) noexcept {
  return host.text == "localhost" || (host.kind != HostKind::Name && (host.text == "127.0.0.1" || host.text == "::1"));
}

std::vector<std::string> query_values(const PageUrl& page, std::string_view name) {
  std::string_view query = page.query;
  std::vector<std::string> values;
  while (!query.empty()) {
    const auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    const auto key = part.substr(0, part.find('='));
    if (decoded(key) == name) values.push_back(decoded(part.substr(std::min(key.size() + 1, part.size()))));
  }
  return values;
}

std::optional<PageUrl> loopback_redirect(const PageUrl& page) {
  const auto values = query_values(page, "redirect_uri");
  if (values.size() != 1) return std::nullopt;
  auto parsed = parse_page_url(values.front());
  auto* redirect = std::get_if<PageUrl>(&parsed);
  if (redirect == nullptr || redirect->has_tls || !is_loopback(redirect->authority.host)) return std::nullopt;
  return std::move(*redirect);
}

}  // namespace lnk::http
