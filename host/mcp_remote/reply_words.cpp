// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/reply_words.hpp"

#include <algorithm>

namespace lnk::host::remote {
namespace {

constexpr std::uint16_t kUnauthorized = 401;
constexpr std::uint16_t kForbidden = 403;

bool has_header(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [name](const auto& each) { return http::equals_folded(each.first, name); });
}

/// Only a scheme that is known is repeated: what a server says may be what it was sent.
std::string wanted_words(const http::ReplyHead& reply, const Headers& headers) {
  if (has_header(headers, "authorization"))
    return "it doesn't take the value of Authorization that the tool was added with; add the tool again with one that it takes";
  const auto scheme = http::find_field(reply.fields, "www-authenticate").value_or("").substr(0, 6);
  const bool is_bearer = http::equals_folded(scheme, "bearer");
  return std::string("it wants the header Authorization") + (is_bearer ? ", as \"Bearer TOKEN\"" : "") +
         ", or another one that its documentation names; give it with: lnk-sandbox tool add NAME --url URL --header Authorization";
}

/// The origin alone, and not where a header's value stands in it.
std::string place_words(const http::ReplyHead& reply, const Url& url, const Headers& headers) {
  const auto location = http::find_field(reply.fields, "location").value_or("");
  const auto place = read_url(location);
  if (!place) return "elsewhere";
  const std::string origin = place->origin();
  const auto holds = [&origin](const auto& each) {
    const auto value = std::string_view(each.second);
    const auto word = value.substr(value.rfind(' ') + 1);
    return std::search(origin.begin(), origin.end(), word.begin(), word.end(), [](char left, char right) {
             return http::equals_folded({&left, 1}, {&right, 1});
           }) != origin.end();
  };
  if (std::any_of(headers.begin(), headers.end(), holds)) return "elsewhere";
  return origin == url.origin() ? "another path of its own" : origin;
}

}  // namespace

std::string reply_words(const http::ReplyHead& reply, const Url& url, const Headers& headers) {
  const std::string answered = url.origin() + " answered " + std::to_string(reply.status);
  if (reply.status == kUnauthorized) return answered + ": " + wanted_words(reply, headers);
  if (reply.status == kForbidden) return answered + ": it refuses this caller; " + wanted_words(reply, headers);
  if (reply.status >= 300 && reply.status < 400)
    return answered + ", which leads to " + place_words(reply, url, headers) +
           "; that is never followed, since what the headers hold is for this server alone; add the tool with the URL that it has "
           "now";
  if (reply.status < 300) return answered + " without an MCP message";
  return answered;
}

}  // namespace lnk::host::remote
