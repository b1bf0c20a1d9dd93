// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <string>

#include "spec/host_form.hpp"
#include "spec/public_suffix.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"
#include "wire/address.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::string_view kSrvScheme = "mongodb+srv://";

Failure refuse(std::string_view text, std::string_view words) {
  return fail(Code::Invalid, quoted(text) + " " + std::string(words));
}

Failure refuse_closed(std::string_view text, std::string_view what, std::string_view mend) {
  return fail(Code::Invalid, quoted(text) + " is closed: " + std::string(what) + std::string(mend));
}

/// What the host is, where no list of hosts opens it; empty: it may be listed.
std::string_view closed_kind_of(const HostForm& form) {
  if (form.kind == HostKind::Name) return closed_kind(form.name);
  if (form.kind == HostKind::Any || form.kind == HostKind::Below) return {};
  return closed_kind(Address{form.kind == HostKind::Ipv6, form.address});
}

/// What [lan] doesn't open either: this machine, a group of machines, a metadata service.
std::string_view closed_lan_kind_of(const HostForm& form) {
  if (form.kind == HostKind::Name) return closed_kind(form.name);
  return closed_lan_kind(Address{form.kind == HostKind::Ipv6, form.address});
}

/// Where what [network] hosts doesn't open is named.
std::string_view mend_of(std::string_view kind) {
  if (is_this_machine(kind)) return "; a port of this machine's loopback is named in [localhost] ports";
  if (is_opened_by_lan(kind)) return "; a machine of your own network is named in [lan] machines, with its port";
  return "; no key opens it";
}

Result<void> check_suffix(std::string_view text, const HostForm& form) {
  if (form.kind != HostKind::Below) return {};
  const std::string_view domain = std::string_view(form.name).substr(2);
  if (is_public_suffix(domain)) return refuse(text, "covers a public suffix: anyone may have a name below it");
  if (domain == "localhost" || domain.ends_with(".localhost")) return refuse_closed(text, "this machine", "");
  return {};
}

HostGrant grant_of(std::string_view text, HostForm form) {
  HostGrant out;
  out.written = text;
  out.kind = form.kind;
  out.name = std::move(form.name);
  if (form.port) out.ports = {*form.port};
  return out;
}

}  // namespace

Result<HostGrant> read_host(std::string_view text) {
  LNK_TRY(HostForm form, read_host_form(text));
  LNK_CHECK(check_suffix(text, form));
  if (const auto kind = closed_kind_of(form); !kind.empty()) return refuse_closed(text, kind, mend_of(kind));
  HostGrant out = grant_of(text, std::move(form));
  if (out.ports.empty()) out.ports = {kHttpPort, kHttpsPort};
  return out;
}

Result<HostGrant> read_lan_machine(std::string_view text) {
  LNK_TRY(HostForm form, read_host_form(text));
  if (form.kind == HostKind::Any || form.kind == HostKind::Below) return refuse(text, "has a *; each machine is named");
  if (!form.port) return refuse(text, "names no port; write machine:port");
  if (const auto kind = closed_lan_kind_of(form); !kind.empty())
    return refuse_closed(text, kind, ", which [lan] doesn't open either");
  return grant_of(text, std::move(form));
}

Result<std::uint16_t> read_port(std::string_view text) {
  if (text == "*") return fail(Code::Invalid, std::string(kEveryPort));
  std::uint16_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && port != 0) return port;
  return refuse(text, "is no port; ports go from 1 to 65535");
}

Result<EndpointGrant> read_endpoint(std::string_view text) {
  EndpointGrant out;
  out.written = text;
  out.srv = text.starts_with(kSrvScheme);
  LNK_TRY(HostForm form, read_host_form(out.srv ? text.substr(kSrvScheme.size()) : text));
  if (form.kind == HostKind::Any) return refuse(text, "covers every host; name the endpoints");
  if (form.kind == HostKind::Ipv4 || form.kind == HostKind::Ipv6) {
    return refuse(text, "is an address; endpoints are reached by their names");
  }
  LNK_CHECK(check_suffix(text, form));
  if (const auto kind = closed_kind_of(form); !kind.empty())
    return refuse_closed(text, kind, ", and no endpoint is there");
  if (out.srv) {
    const auto dots = std::count(form.name.begin(), form.name.end(), '.');
    if (form.port) return refuse(text, "has a port, which a mongodb+srv name never has");
    if (form.kind == HostKind::Below) return refuse(text, "has a *, which a mongodb+srv name can't have");
    if (dots < 2 || form.name.ends_with(".local"))
      return refuse(text, "is no mongodb+srv name (host.domain.top, not .local)");
    // Its servers may have any name below that.
    if (is_public_suffix(std::string_view(form.name).substr(form.name.find('.') + 1)))
      return refuse(text, "stands right below a public suffix, and its servers could be anybody's");
  } else if (!form.port) {
    return refuse(text, "names no port; write host:port");
  }
  out.kind = form.kind;
  out.name = std::move(form.name);
  out.port = form.port.value_or(0);
  return out;
}

}  // namespace lnk::host
