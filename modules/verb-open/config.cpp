// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <utility>
#include <variant>

#include "lnk/http/authority.hpp"

namespace lnk::verb_open {
namespace {

namespace json = boost::json;

constexpr std::size_t kKeys = 4;

Failure wrong(std::string words) { return fail(Code::Invalid, "configuration: " + std::move(words)); }

Status read_ports(const json::object& config, std::string_view key, std::vector<std::uint16_t>& into) {
  const auto* value = config.if_contains(key);
  const auto* list = value == nullptr ? nullptr : value->if_array();
  if (list == nullptr || list->size() > kPortsMax)
    return wrong("'" + std::string(key) + "' is a list of at most 256 ports");
  for (const auto& entry : *list) {
    const auto* port = entry.if_int64();
    if (port == nullptr || *port < 1 || *port > 65535) return wrong("'" + std::string(key) + "' holds what is no port");
    into.push_back(static_cast<std::uint16_t>(*port));
  }
  return {};
}

Result<GrantedHost> read_host(std::string_view text) {
  constexpr std::string_view kBelow = "*.";
  const bool below = text.starts_with(kBelow);
  auto read = http::parse_authority(below ? text.substr(kBelow.size()) : text);
  const auto* authority = std::get_if<http::Authority>(&read);
  if (authority == nullptr || authority->port == 0 || (below && authority->host.kind != http::HostKind::Name))
    return wrong("a host is NAME:PORT or *.NAME:PORT");
  return GrantedHost{authority->host.text, authority->port, below};
}

Status read_hosts(const json::object& config, std::string_view key, std::vector<GrantedHost>& into) {
  const auto* value = config.if_contains(key);
  const auto* list = value == nullptr ? nullptr : value->if_array();
  if (list == nullptr || list->size() > kHostsMax) return wrong("'" + std::string(key) + "' is a list of hosts");
  for (const auto& entry : *list) {
    const auto* text = entry.if_string();
    if (text == nullptr) return wrong("'" + std::string(key) + "' holds what is no host");
    LNK_TRY(auto host, read_host({text->data(), text->size()}));
    into.push_back(std::move(host));
  }
  return {};
}

}  // namespace

Result<Config> parse_config(std::string_view text) {
  json::error_code error;
  const auto value = json::parse({text.data(), text.size()}, error);
  if (error) return wrong("is no JSON: " + error.message());
  const auto* object = value.if_object();
  if (object == nullptr || object->size() != kKeys)
    return wrong("is {\"carried\":[...],\"hosts\":[...],\"localhost\":[...],\"machines\":[...]}");
  Config config;
  LNK_CHECK(read_hosts(*object, "hosts", config.hosts));
  LNK_CHECK(read_hosts(*object, "machines", config.hosts));
  LNK_CHECK(read_ports(*object, "localhost", config.localhost));
  LNK_CHECK(read_ports(*object, "carried", config.carried));
  return config;
}

}  // namespace lnk::verb_open
