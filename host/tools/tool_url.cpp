// SPDX-License-Identifier: Apache-2.0
#include "tools/tool_url.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "lnk/cpp/ascii.hpp"
#include "lnk/http/authority.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kUrlBytesMax = 4096;

/// What parameters are named by which services take keys, in any case and with more around it.
constexpr std::array<std::string_view, 10> kSecretNames = {"key", "token", "secret", "pass", "pwd", "auth", "sig", "cred", "jwt", "session"};

bool is_own_machine(const http::Host& host) {
  return host.text == "localhost" || host.text == "127.0.0.1" || (host.kind == http::HostKind::Ipv6 && host.text == "::1");
}

Status check_query(std::string_view query) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto name = folded(query.substr(0, std::min(query.find('='), end)));
    const auto looks_secret = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
    if (name.find('%') != std::string::npos || std::any_of(kSecretNames.begin(), kSecretNames.end(), looks_secret))
      return fail(Code::Invalid, "the URL's parameter " + host::quoted(name) +
                                     " looks like one that holds a secret, which would be shown and kept in the open; give it in a field "
                                     "with --header, or take it out");
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

}  // namespace

Status check_tool_url(std::string_view url) {
  if (url.size() > kUrlBytesMax) return fail(Code::Limit, "the URL is longer than " + std::to_string(kUrlBytesMax) + " bytes");
  if (!std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f; }))
    return fail(Code::Invalid, "the URL holds a blank, a control character or a byte beyond ASCII; write those with %");
  const bool is_tls = url.starts_with("https://");
  if (!is_tls && !url.starts_with("http://"))
    return fail(Code::Invalid, "a tool's URL begins with https://, or on this machine with http://");
  const auto rest = url.substr(is_tls ? 8 : 7);
  const auto end = std::min(rest.find_first_of("/?#"), rest.size());
  const auto written = rest.substr(0, end);
  if (written.find('@') != std::string_view::npos)
    return fail(Code::Invalid, "the URL holds a user or a password, which would be kept in the open; give it in a field with --header");
  const auto authority = http::parse_authority(written);
  if (http::is_refused(authority)) return fail(Code::Invalid, "the URL's host can be read in more than one way, or isn't one");
  if (!is_tls && !is_own_machine(std::get<http::Authority>(authority).host))
    return fail(Code::Invalid, "http:// would carry what the tool is told in the clear, and is for localhost, 127.0.0.1 and [::1] alone; write https://");
  if (rest.find('#') != std::string_view::npos) return fail(Code::Invalid, "the URL has a fragment, which no server is sent; take it out");
  const auto query = rest.find('?', end);
  return query == std::string_view::npos ? Status() : check_query(rest.substr(query + 1));
}

}  // namespace lnk::host
