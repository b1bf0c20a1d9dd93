// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <algorithm>
#include <utility>

#include "lnk/http/address.hpp"

namespace lnk::verb_open {
namespace {

bool grants(const GrantedHost& granted, const http::Authority& asked) noexcept {
  if (granted.port != asked.port) return false;
  const std::string_view name = asked.host.text;
  if (!granted.below) return name == granted.name;
  return asked.host.kind == http::HostKind::Name && name.size() > granted.name.size() + 1 &&
         name.ends_with(granted.name) && name[name.size() - granted.name.size() - 1] == '.';
}

}  // namespace

std::variant<Denial, Page> parse_page(std::string_view text) {
  auto parsed = http::parse_page_url(text);
  if (auto* page = std::get_if<Page>(&parsed)) return std::move(*page);
  auto& refusal = std::get<http::Refusal>(parsed);
  return Denial{refusal.status, refusal.reason, std::move(refusal.words)};
}

std::string host_fault(const Page& page, const Config& config) {
  const auto kind = http::own_kind(page.authority.host);
  if (kind.empty()) return {};
  const std::string is = "the page's host is " + std::string(kind);
  if (kind == http::kMetadataService) return is + ", whose pages are never opened";
  const auto port = page.authority.port;
  if (http::is_loopback(page.authority.host)) {
    if (std::find(config.localhost.begin(), config.localhost.end(), port) != config.localhost.end()) return {};
    return is + "; [localhost] ports = [" + std::to_string(port) + "] lets pages of that port be asked for";
  }
  const bool is_granted = std::any_of(config.hosts.begin(), config.hosts.end(),
                                      [&page](const GrantedHost& granted) { return grants(granted, page.authority); });
  return is_granted ? std::string() : is + "; [lan] machines lets pages of a machine be asked for";
}

}  // namespace lnk::verb_open
