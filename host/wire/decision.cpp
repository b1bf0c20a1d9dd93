// SPDX-License-Identifier: Apache-2.0
#include "wire/decision.hpp"

#include <algorithm>
#include <array>

#include "wire/address.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

using http::Refusal;
using http::TargetForm;

/// What plain relaying passes on: RFC 9110, PATCH, and WebDAV with its kin, by which git and calendars speak.
constexpr std::array<std::string_view, 24> kMethods = {"GET",
                                                       "HEAD",
                                                       "POST",
                                                       "PUT",
                                                       "DELETE",
                                                       "OPTIONS",
                                                       "PATCH",
                                                       "CONNECT",
                                                       "PROPFIND",
                                                       "PROPPATCH",
                                                       "MKCOL",
                                                       "COPY",
                                                       "MOVE",
                                                       "LOCK",
                                                       "UNLOCK",
                                                       "REPORT",
                                                       "SEARCH",
                                                       "MKCALENDAR",
                                                       "VERSION-CONTROL",
                                                       "CHECKOUT",
                                                       "CHECKIN",
                                                       "UNCHECKOUT",
                                                       "ACL",
                                                       "QUERY"};

std::optional<Refusal> check_method(const http::RequestHead& head) {
  if (head.method == "TRACE" || head.method == "TRACK")
    return Refusal{405, "bad-request", "the method isn't taken here"};
  if (std::find(kMethods.begin(), kMethods.end(), head.method) == kMethods.end()) {
    return Refusal{501, "bad-request", "the method isn't known here"};
  }
  if (head.form == TargetForm::Asterisk) return Refusal{405, "bad-request", "OPTIONS * is not taken here"};
  return std::nullopt;
}

bool is_own_host(const http::Authority& host, std::uint16_t own_port) {
  const std::string_view name = host.host.text;
  return host.port == own_port && (name == "127.0.0.1" || name == "localhost" || name == "::1");
}

std::string_view closed_by_name(const http::Authority& target, bool is_machine) {
  if (target.host.kind == http::HostKind::Name) return closed_kind(std::string_view(target.host.text));
  const Address address{target.host.kind == http::HostKind::Ipv6, target.host.address};
  return is_machine ? closed_lan_kind(address) : closed_kind(address);
}

/// What is refused of every verb, whatever it is.
std::optional<Refusal> check_verb_request(const http::RequestHead& head) {
  if (head.has_upgrade) return Refusal{426, "no-upgrade", "verbs speak plain HTTP/1.1, no upgrade is made"};
  if (head.has_high_bytes) return refuse_bad_request("a byte beyond ASCII in a field's value");
  const bool has_body = head.body.framing == http::Framing::Chunked || head.body.length > 0;
  if (has_body && (head.method == "GET" || head.method == "HEAD"))
    return refuse_bad_request("a GET or HEAD with a body");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_target(const http::Authority& target, const HostList& hosts) {
  const bool is_machine = hosts.find_machine(target) != nullptr;
  if (const auto kind = closed_by_name(target, is_machine); !kind.empty()) return refuse_closed(target, kind);
  if (!is_machine && !hosts.allows(target))
    return hosts.is_of_verb(target.host.text) ? refuse_verbs_own(target) : refuse_unlisted(target);
  return std::nullopt;
}

Decision decide(const http::RequestHead& head, const HostList& hosts, std::uint16_t own_port) {
  if (auto refusal = check_method(head)) return {Road::Plain, std::move(refusal)};
  switch (head.form) {
    case TargetForm::Authority:
      return {Road::Tunnel, check_target(head.authority, hosts)};
    case TargetForm::Absolute:
      return {Road::Plain, check_target(head.authority, hosts)};
    case TargetForm::Origin:
    case TargetForm::Asterisk:
      break;
  }
  constexpr std::string_view kMount = "/_link/";
  if (!is_own_host(head.authority, own_port) || !head.path.starts_with(kMount)) {
    return {Road::Verb, refuse_bad_request("a request in origin-form is for the wire's own paths under /_link/ alone; "
                                           "a proxy is asked with CONNECT host:port or with http://host/path")};
  }
  return {Road::Verb, check_verb_request(head)};
}

Decision decide_at_port(const http::RequestHead& head, std::uint16_t port) {
  if (auto refusal = check_method(head)) return {Road::Verb, std::move(refusal)};
  if (head.form != TargetForm::Origin || !is_own_host(head.authority, port)) {
    return {Road::Verb, refuse_bad_request("this port is a service of this machine at localhost:" + std::to_string(port) +
                                           ", and no proxy: it is asked for a path, with that as Host")};
  }
  return {Road::Verb, check_verb_request(head)};
}

}  // namespace lnk::host
