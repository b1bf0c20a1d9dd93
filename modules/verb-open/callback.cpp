// SPDX-License-Identifier: Apache-2.0
#include "callback.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_open {
namespace {

/// A browser asks for another path than one with parts that stand still or climb.
bool has_moving_parts(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);  // a slash
    const auto part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    auto plain = folded(part);
    for (auto at = plain.find("%2e"); at != std::string::npos; at = plain.find("%2e")) plain.replace(at, 3, ".");
    if (plain == "." || plain == "..") return true;
  }
  return false;
}

bool is_form(std::string_view content_type) noexcept {
  return same_folded(trimmed(content_type.substr(0, content_type.find(';'))), "application/x-www-form-urlencoded");
}

bool is_of_port(std::string_view host, std::uint16_t port) {
  const auto authority = http::parse_authority(host);
  const auto* asked = std::get_if<http::Authority>(&authority);
  return asked != nullptr && asked->port == port && http::is_loopback(asked->host);
}

}  // namespace

std::variant<Denial, std::optional<Callback>> find_callback(const Page& page, const Config& config) {
  if (http::query_values(page, "redirect_uri").size() > 1)
    return Denial{403, "page-refused", "a URL with more than one redirect_uri; send one"};
  const auto back = http::loopback_redirect(page);
  if (!back) return std::optional<Callback>();
  const auto port = back->authority.port;
  if (port < kPortMin || std::find(config.carried.begin(), config.carried.end(), port) != config.carried.end())
    return std::optional<Callback>();
  if (has_moving_parts(back->path)) return Denial{403, "page-refused", "a redirect_uri whose path has a part . or .."};
  return std::optional(Callback{port, back->path});
}

Request judge(const CallbackEvent& request, const Callback& callback, bool follows) {
  const auto mark = request.target.find('?');
  const bool has_query = mark != std::string_view::npos && mark + 1 < request.target.size();
  // Of a name of others that leads here (DNS rebinding) the program's own answer is none.
  if (request.target.substr(0, mark) != callback.path || !is_of_port(request.host, callback.port))
    return Request::Elsewhere;
  if (request.method == "GET") {
    if (!request.body.empty()) return Request::Unfit;
    return has_query || follows ? Request::Answer : Request::Nothing;
  }
  if (request.method != "POST" || follows || !is_form(request.content_type) || request.body.size() > kFormBytesMax)
    return Request::Unfit;
  return request.body.empty() ? Request::Nothing : Request::Answer;
}

std::optional<Redirect> redirect_to_itself(std::string_view location, std::string_view host, std::uint16_t port) {
  const bool is_path = location.starts_with('/') && !location.starts_with("//");
  auto target = parse_page(is_path ? "http://" + std::string(host) + std::string(location) : std::string(location));
  const auto* page = std::get_if<Page>(&target);
  if (page == nullptr || page->has_tls || page->authority.port != port || !http::is_loopback(page->authority.host) ||
      has_moving_parts(page->path))
    return std::nullopt;
  return Redirect{page->url, page->path};
}

}  // namespace lnk::verb_open
