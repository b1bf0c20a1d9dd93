// SPDX-License-Identifier: Apache-2.0
#include "tools/tool_url.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "lnk/cpp/ascii.hpp"
#include "mcp_remote/url.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// What parameters are named by which services take keys, in any case and with more around it.
constexpr std::array<std::string_view, 10> kSecretNames = {"key",  "token", "secret", "pass", "pwd",
                                                           "auth", "sig",   "cred",   "jwt",  "session"};

Status check_query(std::string_view query) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto name = folded(query.substr(0, std::min(query.find('='), end)));
    const auto looks_secret = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
    if (name.find('%') != std::string::npos || std::any_of(kSecretNames.begin(), kSecretNames.end(), looks_secret))
      return fail(
          Code::Invalid,
          "the URL's parameter " + host::quoted(name) +
              " looks like one that holds a secret, which would be shown and kept in the open; give it in a field "
              "with --header, or take it out");
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

}  // namespace

Status check_tool_url(std::string_view url) {
  LNK_TRY(const auto read, remote::read_url(url));
  const auto query = read.target.find('?');
  return query == std::string::npos ? Status() : check_query(std::string_view(read.target).substr(query + 1));
}

}  // namespace lnk::host
