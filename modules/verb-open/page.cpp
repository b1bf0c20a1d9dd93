// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lnk/cpp/ascii.hpp"
#include "lnk/http/address.hpp"

namespace lnk::verb_open {
namespace {

/// Domains that no public name is in: by their registries' word, or because homes and firms have used them for so long that none
/// will be (RFC 6761, 6762, 8375; ICANN on .internal, and on .corp and .home as names that collide).
constexpr auto kNetworksOwn = std::to_array<std::string_view>(
    {".local", ".internal", ".home.arpa", ".lan", ".home", ".corp", ".intranet", ".private"});

Denial refuse(std::string words) { return Denial{403, "page-refused", std::move(words)}; }

bool is_hex(char c) noexcept {
  const char low = to_lower(c);
  return (c >= '0' && c <= '9') || (low >= 'a' && low <= 'f');
}

/// What RFC 3986 allows nowhere, and browsers encode or pass as it is.
bool is_encoded(char c) noexcept {
  return static_cast<unsigned char>(c) >= 0x80 || std::string_view("\"<>^`{|}").find(c) != std::string_view::npos;
}

/// Empty, or what is wrong with it.
std::string_view check_bytes(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') return "a URL with a backslash, which browsers read as a slash; write it as %5C";
    if (c == ' ') return "a URL with a blank; write it as %20, and send one URL alone";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "a URL with a control character or a line's end";
    if (c != '%') continue;
    if (at + 2 >= text.size() || !is_hex(text[at + 1]) || !is_hex(text[at + 2]))
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

bool has_high_bytes(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

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

void write(Page& page, std::string_view fragment) {
  constexpr std::uint16_t kHttp = 80;
  constexpr std::uint16_t kHttps = 443;
  const auto usual = page.has_tls ? kHttps : kHttp;
  if (page.authority.port == 0) page.authority.port = usual;
  page.url = (page.has_tls ? "https://" : "http://") + page.authority.to_text(usual) + page.path;
  if (page.has_query) page.url += '?' + page.query;
  page.url += fragment;
}

std::string_view kind_of(const http::Host& host) noexcept {
  if (host.kind != http::HostKind::Name) return http::closed_kind(http::Address{host.kind == http::HostKind::Ipv6, host.address});
  const std::string_view name = host.text;
  if (const auto kind = http::closed_kind(name); !kind.empty()) return kind;
  if (name.find('.') == std::string_view::npos) return "a name of one label, which is this network's own";
  const bool is_networks = std::any_of(kNetworksOwn.begin(), kNetworksOwn.end(), [name](auto end) { return name.ends_with(end); });
  return is_networks ? std::string_view("a name of this network's own") : std::string_view();
}

bool grants(const GrantedHost& granted, const http::Authority& asked) noexcept {
  if (granted.port != asked.port) return false;
  const std::string_view name = asked.host.text;
  if (!granted.below) return name == granted.name;
  return asked.host.kind == http::HostKind::Name && name.size() > granted.name.size() + 1 && name.ends_with(granted.name) &&
         name[name.size() - granted.name.size() - 1] == '.';
}

}  // namespace

std::variant<Denial, Page> parse_page(std::string_view text) {
  if (text.size() > kUrlBytesMax) return Denial{413, "too-large", "a URL of more than 16 KiB, which nobody can read whole"};
  if (const auto words = check_bytes(text); !words.empty()) return refuse(std::string(words));
  Page page;
  if (!take_scheme(text, page.has_tls)) return refuse("no URL that begins with http:// or https://; only pages are opened");
  const auto authority_text = text.substr(0, text.find_first_of("/?#"));
  text.remove_prefix(authority_text.size());
  if (has_high_bytes(authority_text)) return refuse("a host that isn't plain ASCII; write it in its xn-- form");
  auto authority = http::parse_authority(authority_text);
  if (const auto* refusal = std::get_if<http::Refusal>(&authority)) return refuse("a URL with " + refusal->words);
  page.authority = std::get<http::Authority>(std::move(authority));
  const auto before_fragment = text.substr(0, text.find('#'));
  const auto fragment = encoded(text.substr(before_fragment.size()));
  const auto path = before_fragment.substr(0, before_fragment.find('?'));
  page.has_query = path.size() < before_fragment.size();
  page.path = path.empty() ? "/" : encoded(path);
  if (page.has_query) page.query = encoded(before_fragment.substr(path.size() + 1));
  write(page, fragment);
  if (page.url.size() > kUrlBytesMax) return Denial{413, "too-large", "a URL of more than 16 KiB, which nobody can read whole"};
  return page;
}

bool is_loopback(const http::Host& host) noexcept {
  return host.text == "localhost" || (host.kind != http::HostKind::Name && (host.text == "127.0.0.1" || host.text == "::1"));
}

std::string host_fault(const Page& page, const Config& config) {
  const auto kind = kind_of(page.authority.host);
  if (kind.empty()) return {};
  const std::string is = "the page's host is " + std::string(kind);
  if (kind == http::kMetadataService) return is + ", whose pages are never opened";
  const auto port = page.authority.port;
  if (is_loopback(page.authority.host)) {
    if (std::find(config.localhost.begin(), config.localhost.end(), port) != config.localhost.end()) return {};
    return is + "; [localhost] ports = [" + std::to_string(port) + "] lets pages of that port be asked for";
  }
  const bool is_granted = std::any_of(config.hosts.begin(), config.hosts.end(),
                                      [&page](const GrantedHost& granted) { return grants(granted, page.authority); });
  return is_granted ? std::string() : is + "; [lan] machines lets pages of a machine be asked for";
}

}  // namespace lnk::verb_open
