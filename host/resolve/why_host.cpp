// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "resolve/why.hpp"
#include "spec/host_form.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"
#include "wire/address.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kHttpsPort = 443;

bool covers(std::string_view listed, std::string_view name, bool is_address) {
  if (listed == "*" || listed == name) return true;
  const bool is_suffix = listed.starts_with("*.") && !is_address;
  return is_suffix && name.size() > listed.size() - 1 && name.ends_with(listed.substr(1));
}

std::string listing(std::string_view name, std::uint16_t port) {
  const bool is_usual = port == kHttpsPort || port == 80;
  return "[network] hosts = [" + host::quoted(std::string(name) + (is_usual ? "" : ":" + std::to_string(port))) + "]";
}

/// As a spec's line lists it: 443 and 80 together go without saying.
std::string as_listed(const GrantedHost& host) {
  auto ports = host.ports;
  const auto usual = {std::uint16_t{80}, kHttpsPort};
  const bool has_usual = std::includes(ports.begin(), ports.end(), usual.begin(), usual.end());
  if (has_usual) std::erase_if(ports, [&](auto port) { return std::find(usual.begin(), usual.end(), port) != usual.end(); });
  std::string list = has_usual ? host::quoted(host.name) : "";
  for (const auto port : ports) list += (list.empty() ? "" : ", ") + host::quoted(host.name + ":" + std::to_string(port));
  return "hosts = [" + list + "]";
}

/// The port's own endpoint, else one on another port; none: no endpoint covers the name.
const ResolvedEndpoint* endpoint_of(const Resolved& resolved, std::string_view name, std::uint16_t port) {
  const ResolvedEndpoint* other = nullptr;
  for (const auto& endpoint : resolved.endpoints) {
    if (endpoint.grant.srv || !covers(endpoint.grant.name, name, false)) continue;
    if (endpoint.grant.port == port) return &endpoint;
    other = &endpoint;
  }
  return other;
}

std::string as_listed(const GrantedEndpoint& endpoint) {
  return "endpoints = [" + host::quoted(endpoint.name + ":" + std::to_string(endpoint.port)) + "]";
}

/// The same reading as a spec's, so that what no spec may list is told apart in its own words.
std::string_view closed_kind_of(const HostForm& form, bool is_address) {
  return is_address ? closed_kind(Address{form.kind == HostKind::Ipv6, form.address}) : closed_kind(form.name);
}

}  // namespace

Result<Verdict> why_host(std::string_view text, const Resolved& resolved, const std::vector<NamedSecret>& secrets) {
  LNK_TRY(const auto form, read_host_form(text));
  if (form.kind == HostKind::Any || form.kind == HostKind::Below)
    return fail(Code::Invalid, host::quoted(text) + " has a *; ask about one host");
  const bool is_address = form.kind == HostKind::Ipv4 || form.kind == HostKind::Ipv6;
  const std::string name = form.kind == HostKind::Ipv6 ? "[" + form.name + "]" : form.name;
  const std::uint16_t port = form.port.value_or(kHttpsPort);
  const std::string asked = "reach " + host::quoted(name) + " on port " + std::to_string(port) + ": ";
  if (resolved.direct)
    return Verdict{true, resolved.direct_origin, "grant", asked + "direct = true opens the machine's network as it is, with no wire", {}};
  if (const auto kind = closed_kind_of(form, is_address); !kind.empty())
    return Verdict{false, {}, "closed-addresses", asked + "it is " + std::string(kind) + ", which the wire never reaches", {}};
  const ResolvedHost* other_port = nullptr;
  for (const auto& host : resolved.hosts) {
    if (!covers(host.grant.name, name, is_address)) continue;
    const auto& ports = host.grant.ports;
    if (std::find(ports.begin(), ports.end(), port) != ports.end())
      return Verdict{true,
                     host.origin,
                     "grant",
                     asked + as_listed(host.grant) + " lists it; every address of it is checked when it is asked for",
                     {}};
    other_port = &host;
  }
  const auto* endpoint = is_address ? nullptr : endpoint_of(resolved, name, port);
  if (endpoint != nullptr && endpoint->grant.port == port)
    return Verdict{true, endpoint->origin, "grant",
                   asked + as_listed(endpoint->grant) + " lists it, for what looks its name up inside; every address of it is checked when it is reached", {}};
  if (other_port != nullptr)
    return Verdict{false, other_port->origin, "grant", asked + as_listed(other_port->grant) + " lists it on other ports",
                   "[network] hosts = [" + host::quoted(name + ":" + std::to_string(port)) + "]"};
  if (endpoint != nullptr)
    return Verdict{false, endpoint->origin, "grant", asked + as_listed(endpoint->grant) + " lists it on another port",
                   "[tcp] endpoints = [" + host::quoted(name + ":" + std::to_string(port)) + "]"};
  for (const auto& secret : secrets)
    if (secret.fault.empty() && secret.host == name)
      return Verdict{false, {}, "secret-host", asked + "it is the host of the secret " + host::quoted(secret.name) +
                                                   ", and reached only at /_link/secret/" + secret.name + "/ of the wire, by its rule", {}};
  if (resolved.hosts.empty() && resolved.endpoints.empty() && resolved.secrets.empty())
    return Verdict{false, {}, "no-network", asked + "the spec names no host, so there is no network at all", listing(name, port)};
  return Verdict{false, {}, "host-not-listed", asked + "no line of hosts lists it", listing(name, port)};
}

}  // namespace lnk::host
