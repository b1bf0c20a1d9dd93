// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

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

std::string lan_listing(const std::string& name, std::uint16_t port) {
  return "[lan] machines = [" + host::quoted(name + ":" + std::to_string(port)) + "]";
}

/// What is asked, and how every answer begins.
struct Question {
  HostForm form;
  bool is_address = false;
  std::string name;
  std::uint16_t port = 0;
  std::string asked;
};

/// A port of this machine's loopback, which a program inside reaches at the same place.
std::optional<Verdict> why_localhost(const Question& question, const Resolved& resolved) {
  if (question.name != "localhost" && question.name != "127.0.0.1") return std::nullopt;
  const std::string port = std::to_string(question.port);
  if (const auto found = resolved.model_local.find(question.port); found != resolved.model_local.end())
    return Verdict{true, found->second, "grant",
                   question.asked + "local names it, so that the runtime of models there is found, for inference and nothing else of it", {}};
  if (const auto found = resolved.localhost.find(question.port); found != resolved.localhost.end())
    return Verdict{true, found->second, "grant",
                   question.asked + "ports names it, so that this machine's port is found there, without the proxy", {}};
  return Verdict{false, {}, "closed-addresses",
                 question.asked + "it is this machine, and no line of [localhost] ports names the port",
                 "[localhost] ports = [" + port + "]"};
}

/// A machine that [lan] names at this port.
std::optional<Verdict> why_machine(const Question& question, const Resolved& resolved) {
  const auto is_it = [&question](const auto& machine) {
    return machine.grant.name == question.name && machine.grant.port == question.port;
  };
  const auto named = std::find_if(resolved.machines.begin(), resolved.machines.end(), is_it);
  if (named == resolved.machines.end()) return std::nullopt;
  if (question.is_address && is_own_address({question.form.kind == HostKind::Ipv6, question.form.address}))
    return Verdict{false, {}, "closed-addresses", question.asked + "it is this machine, which [lan] doesn't open", {}};
  const bool is_pinned = !named->grant.address.empty();
  return Verdict{true, named->origin, "grant",
                 question.asked + "machines names it" +
                     (is_pinned ? ", always at " + named->grant.address : "; every address of it is checked when it is asked for"),
                 {}};
}

}  // namespace

Result<Verdict> why_host(std::string_view text, const Resolved& resolved, const Kept& kept) {
  LNK_TRY(const auto form, read_host_form(text));
  if (form.kind == HostKind::Any || form.kind == HostKind::Below)
    return fail(Code::Invalid, host::quoted(text) + " has a *; ask about one host");
  const bool is_address = form.kind == HostKind::Ipv4 || form.kind == HostKind::Ipv6;
  const std::string name = form.kind == HostKind::Ipv6 ? "[" + form.name + "]" : form.name;
  const std::uint16_t port = form.port.value_or(kHttpsPort);
  const std::string asked = "reach " + host::quoted(name) + " on port " + std::to_string(port) + ": ";
  const Question question{form, is_address, name, port, asked};
  if (resolved.direct)
    return Verdict{true, resolved.direct_origin, "grant", asked + "direct = true opens the machine's network as it is, with no wire", {}};
  if (auto verdict = why_localhost(question, resolved)) return *std::move(verdict);
  if (auto verdict = why_machine(question, resolved)) return *std::move(verdict);
  if (const auto kind = closed_kind_of(form, is_address); !kind.empty()) {
    const bool is_own = is_address && is_own_address({form.kind == HostKind::Ipv6, form.address});
    const bool is_lan = is_opened_by_lan(kind) && !is_own;
    return Verdict{false, {}, "closed-addresses",
                   asked + "it is " + std::string(is_own ? kThisMachine : kind) + ", which " +
                       (is_lan ? "no host of [network] opens" : "the wire never reaches"),
                   is_lan ? lan_listing(name, port) : std::string()};
  }
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
  for (const auto& secret : kept.secrets)
    if (secret.fault.empty() && secret.host == name)
      return Verdict{false, {}, "secret-host", asked + "it is the host of the secret " + host::quoted(secret.name) +
                                                   ", and reached only at /_link/secret/" + secret.name + "/ of the wire, by its rule", {}};
  for (const auto& key : kept.keys)
    if (key.fault.empty() && key.host == name)
      return Verdict{false, {}, "model-host", asked + "it is the host of the provider " + host::quoted(key.provider) +
                                                  " of [model], and reached only at /_link/model/" + key.provider +
                                                  "/ of the wire, for inference alone", {}};
  for (const auto& verb : resolved.verbs)
    for (const auto& [place, origin] : verb.host_origins)
      if (place.name == name && place.port == port)
        return Verdict{false, origin, "verb-host",
                       asked + "the verb " + host::quoted(verb.grant.id) + " may, with TLS, as its table says; the program reaches it by what that "
                                                                           "verb does for it, and in no other way",
                       {}};
  const std::string mend = is_link_name(name) ? lan_listing(name, port) : listing(name, port);
  if (!has_wire(resolved))
    return Verdict{false, {}, "no-network", asked + "the spec names no host, so there is no network at all", mend};
  return Verdict{false, {}, "host-not-listed", asked + "no line of hosts lists it", mend};
}

}  // namespace lnk::host
