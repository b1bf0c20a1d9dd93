// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/url.hpp"

#include <algorithm>

#include "lnk/http/head.hpp"
#include "mcp_remote/limits.hpp"

namespace lnk::host::remote {
namespace {

constexpr std::uint16_t kTlsPort = 443;
constexpr std::uint16_t kPlainPort = 80;
constexpr std::string_view kWanted = "write https://HOST/PATH, or http://localhost:PORT/PATH for a server on this machine";

std::uint16_t default_port(bool is_tls) { return is_tls ? kTlsPort : kPlainPort; }

/// What stands as it is in a request's target (RFC 3986 3.3, 3.4).
bool is_target_byte(char byte) {
  const bool is_word = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
  return is_word || std::string_view("-._~!$&'()*+,;=:@/?%").find(byte) != std::string_view::npos;
}

Failure wrong(std::string_view what) { return fail(Code::Invalid, "the URL " + std::string(what) + "; " + std::string(kWanted)); }

/// Cuts the scheme off.
Result<bool> take_scheme(std::string_view& text) {
  for (const bool is_tls : {true, false}) {
    const std::string_view scheme = is_tls ? "https://" : "http://";
    if (!http::equals_folded(text.substr(0, scheme.size()), scheme)) continue;
    text.remove_prefix(scheme.size());
    return is_tls;
  }
  return wrong("begins with no scheme that is taken");
}

}  // namespace

std::string Url::origin() const { return (is_tls ? "https://" : "http://") + host_field(); }

std::string Url::host_field() const { return authority.to_text(default_port(is_tls)); }

bool Url::is_own_machine() const {
  const auto& host = authority.host;
  return host.text == "localhost" || host.text == "127.0.0.1" || host.text == "::1";
}

Result<Url> read_url(std::string_view text) {
  if (text.size() > kUrlBytesMax) return wrong("is longer than " + std::to_string(kUrlBytesMax) + " bytes");
  Url url;
  LNK_TRY(url.is_tls, take_scheme(text));
  const std::size_t end = std::min(text.find_first_of("/?#"), text.size());
  const auto authority = text.substr(0, end);
  const auto target = text.substr(end);
  if (authority.find('@') != std::string_view::npos)
    return wrong("holds a user before an @; a header carries what the server wants to know");
  if (target.find('#') != std::string_view::npos) return wrong("has a fragment, which no server is sent");
  if (!std::all_of(target.begin(), target.end(), is_target_byte)) return wrong("holds a character that must be percent-encoded");
  auto read = http::parse_authority(authority);
  if (http::is_refused(read)) return wrong("names no host that can be read: " + std::get<http::Refusal>(read).words);
  url.authority = std::get<0>(std::move(read));
  if (url.authority.port == 0) url.authority.port = default_port(url.is_tls);
  url.target = (target.starts_with('/') ? "" : "/") + std::string(target);
  if (!url.is_tls && !url.is_own_machine()) return wrong("is http:// to another machine, where all can read what is sent");
  return url;
}

}  // namespace lnk::host::remote
