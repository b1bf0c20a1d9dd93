// SPDX-License-Identifier: Apache-2.0
#include "wire/endpoint_table.hpp"

#include <algorithm>

#include "lnk/http/authority.hpp"
#include "wire/address.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

/// By which drivers ask for the servers of a mongodb+srv name.
constexpr std::string_view kService = "_mongodb._tcp.";

NameRuling refused(std::string name, http::Refusal refusal) {
  return {NameRuling::Kind::Refused, std::move(name), {}, std::move(refusal)};
}

/// Folded; nothing: it is no host's name.
std::optional<std::string> folded_name(std::string_view text) {
  auto host = http::parse_host(text);
  if (http::is_refused(host) || std::get<0>(host).kind != http::HostKind::Name) return std::nullopt;
  return std::get<0>(std::move(host)).text;
}

/// What only asks for much (RFC 8482), or for a whole zone.
bool is_for_all(std::uint16_t type) noexcept { return type >= dns::kTypeIxfr && type <= dns::kTypeAny; }

}  // namespace

Result<EndpointTable> EndpointTable::make(const std::vector<EndpointGrant>& grants) {
  EndpointTable table;
  for (const EndpointGrant& grant : grants) {
    if (!grant.srv) {
      if (grant.name == "*") return fail(Code::Invalid, "the endpoint * names no host");
      LNK_CHECK(table.list_.add(HostGrant{grant.name, {grant.port}}));
      continue;
    }
    auto name = folded_name(grant.name);
    const bool is_deep = name && std::count(name->begin(), name->end(), '.') >= 2;
    if (!is_deep) return fail(Code::Invalid, "the endpoint " + grant.name + " is no mongodb+srv name");
    table.srv_.insert(std::move(*name));
  }
  return table;
}

std::optional<std::string> EndpointTable::srv_of(const std::string& name, std::uint16_t type) const {
  if (type == dns::kTypeTxt && srv_.contains(name)) return name;
  if (type != dns::kTypeSrv || !name.starts_with(kService)) return std::nullopt;
  std::string host = name.substr(kService.size());
  if (!srv_.contains(host)) return std::nullopt;
  return host;
}

NameRuling EndpointTable::rule(const dns::Query& query) const {
  if (query.fault != dns::Rcode::NoError) return refused({}, refuse_bad_request("a question that can't be read"));
  auto name = folded_name(query.name);
  if (!name) return refused({}, refuse_uncovered({}));
  if (const auto kind = closed_kind(std::string_view(*name)); !kind.empty()) {
    const http::Authority target{{http::HostKind::Name, *name, {}}, 0};
    return refused(*name, refuse_closed(target, kind));
  }
  const bool has_ports = !ports_of(*name).empty();
  const bool is_srv = srv_.contains(*name);
  const bool is_service = name->starts_with(kService) && srv_.contains(name->substr(kService.size()));
  if (!has_ports && !is_srv && !is_service) return refused(*name, refuse_uncovered(*name));
  if (query.klass != dns::kClassInternet || is_for_all(query.type))
    return refused(*name, refuse_bad_request("a question of a kind that isn't answered here"));
  if (auto srv = srv_of(*name, query.type)) return {NameRuling::Kind::Ask, std::move(*name), std::move(*srv), {}};
  const bool is_address = query.type == dns::kTypeA && has_ports;
  return {is_address ? NameRuling::Kind::Address : NameRuling::Kind::NoData, std::move(*name), {}, {}};
}

std::optional<std::string> EndpointTable::add_target(std::string_view srv, std::string_view target, std::uint16_t port) {
  auto name = folded_name(target);
  const std::string_view domain = srv.substr(srv.find('.'));  // with its dot
  if (!name || port == 0 || !name->ends_with(domain) || name->size() == domain.size()) return std::nullopt;
  if (!closed_kind(std::string_view(*name)).empty()) return std::nullopt;
  const auto ports = ports_of(*name);
  if (std::find(ports.begin(), ports.end(), port) != ports.end()) return name;
  if (targets_ >= kSrvTargetsMax || !list_.add(HostGrant{*name, {port}})) return std::nullopt;
  ++targets_;
  return name;
}

}  // namespace lnk::host
