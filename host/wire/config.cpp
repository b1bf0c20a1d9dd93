// SPDX-License-Identifier: Apache-2.0
#include "wire/config.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <limits>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

Failure bad(std::string_view words) { return fail(Code::Invalid, "the wire's configuration: " + std::string(words)); }

Result<std::string> read_whole(int fd) {
  struct stat about {};
  if (::fstat(fd, &about) != 0) return fail(Code::Invalid, "the wire's configuration can't be read", errno);
  if (about.st_size < 0 || static_cast<std::uint64_t>(about.st_size) > kConfigBytesMax) return bad("too large");
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  for (std::size_t read = 0; read < text.size();) {
    const ssize_t got = ::pread(fd, text.data() + read, text.size() - read, static_cast<off_t>(read));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(Code::Invalid, "the wire's configuration can't be read", got < 0 ? errno : 0);
    read += static_cast<std::size_t>(got);
  }
  return text;
}

Status take_text(const json::object& from, std::string_view key, std::string& into) {
  const json::value* value = from.if_contains(key);
  if (value == nullptr || !value->is_string()) return bad("no text under " + std::string(key));
  into = value->get_string();
  return {};
}

bool to_port(const json::value& value, std::uint16_t& port) {
  if (!value.is_int64() || value.get_int64() < 1 || value.get_int64() > 65535) return false;
  port = static_cast<std::uint16_t>(value.get_int64());
  return true;
}

Status take_hosts(const json::object& from, std::vector<HostGrant>& hosts) {
  const json::value* list = from.if_contains("hosts");
  if (list == nullptr || !list->is_array()) return bad("no list under hosts");
  for (const json::value& each : list->get_array()) {
    const json::value* ports = each.is_object() ? each.get_object().if_contains("ports") : nullptr;
    if (ports == nullptr || !ports->is_array()) return bad("a host without ports");
    HostGrant grant;
    LNK_CHECK(take_text(each.get_object(), "name", grant.name));
    for (const json::value& port : ports->get_array()) {
      if (!to_port(port, grant.ports.emplace_back())) return bad("a port that can't be one");
    }
    hosts.push_back(std::move(grant));
  }
  return {};
}

/// Missing: there are none.
Status take_endpoints(const json::object& from, std::vector<EndpointGrant>& endpoints) {
  const json::value* list = from.if_contains("endpoints");
  if (list == nullptr) return {};
  if (!list->is_array()) return bad("endpoints is no list");
  for (const json::value& each : list->get_array()) {
    const json::value* port = each.is_object() ? each.get_object().if_contains("port") : nullptr;
    const json::value* srv = each.is_object() ? each.get_object().if_contains("srv") : nullptr;
    if (port == nullptr || srv == nullptr || !srv->is_bool()) return bad("an endpoint without its port or kind");
    EndpointGrant& endpoint = endpoints.emplace_back();
    LNK_CHECK(take_text(each.get_object(), "name", endpoint.name));
    endpoint.srv = srv->get_bool();
    if (!endpoint.srv && !to_port(*port, endpoint.port)) return bad("an endpoint's port that can't be one");
  }
  return {};
}

Status take_machines(const json::object& from, std::vector<LanMachine>& machines) {
  const json::value* list = from.if_contains("machines");
  if (list == nullptr) return {};
  if (!list->is_array()) return bad("machines is no list");
  for (const json::value& each : list->get_array()) {
    const json::value* port = each.is_object() ? each.get_object().if_contains("port") : nullptr;
    LanMachine machine;
    if (port == nullptr || !to_port(*port, machine.port)) return bad("a machine without a port");
    LNK_CHECK(take_text(each.get_object(), "name", machine.name));
    LNK_CHECK(take_text(each.get_object(), "address", machine.address));
    machines.push_back(std::move(machine));
  }
  return {};
}

/// Missing: none.
Status take_ports(const json::object& from, std::string_view key, std::vector<std::uint16_t>& ports) {
  const json::value* list = from.if_contains(key);
  if (list == nullptr) return {};
  if (!list->is_array()) return bad(std::string(key) + " is no list");
  for (const json::value& port : list->get_array())
    if (!to_port(port, ports.emplace_back())) return bad("a port that can't be one");
  return {};
}

/// Missing: it has it.
Status take_tls(const json::object& from, VerbUpstream& upstream) {
  const json::value* tls = from.if_contains("tls");
  if (tls == nullptr) return {};
  if (!tls->is_bool()) return bad("an upstream's tls is no truth");
  upstream.tls = tls->get_bool();
  if (!upstream.tls && upstream.host != kThisMachineName) return bad("an upstream without TLS that is not this machine");
  return {};
}

Status take_upstreams(const json::object& from, std::vector<VerbUpstream>& upstreams) {
  const json::value* list = from.if_contains("upstreams");
  if (list == nullptr) return {};
  if (!list->is_array()) return bad("upstreams is no list");
  for (const json::value& each : list->get_array()) {
    const json::value* port = each.is_object() ? each.get_object().if_contains("port") : nullptr;
    const json::value* handles = each.is_object() ? each.get_object().if_contains("handles") : nullptr;
    VerbUpstream upstream;
    if (port == nullptr || !to_port(*port, upstream.port)) return bad("an upstream without a port");
    LNK_CHECK(take_text(each.get_object(), "host", upstream.host));
    LNK_CHECK(take_tls(each.get_object(), upstream));
    if (handles == nullptr || !handles->is_array()) return bad("an upstream without handles");
    for (const json::value& handle : handles->get_array()) {
      if (!handle.is_string()) return bad("a handle that is no text");
      upstream.handles.emplace_back(handle.get_string());
    }
    upstreams.push_back(std::move(upstream));
  }
  return {};
}

/// Missing: it has none.
Status take_rights(const json::object& from, VerbConfig& verb) {
  for (auto [key, right] : {std::pair("asks", &verb.asks), std::pair("pages", &verb.pages)}) {
    const json::value* value = from.if_contains(key);
    if (value == nullptr) continue;
    if (!value->is_bool()) return bad("a verb's right that is no truth");
    *right = value->get_bool();
  }
  const json::value* tools = from.if_contains("tools");
  if (tools == nullptr) return {};
  if (!tools->is_array()) return bad("a verb's tools are no list");
  for (const json::value& tool : tools->get_array()) {
    if (!tool.is_string()) return bad("a tool that is no name");
    verb.tools.emplace_back(tool.get_string());
  }
  return {};
}

Status take_verbs(const json::object& from, std::vector<VerbConfig>& verbs) {
  const json::value* list = from.if_contains("verbs");
  if (list == nullptr) return {};
  if (!list->is_array()) return bad("verbs is no list");
  for (const json::value& each : list->get_array()) {
    if (!each.is_object()) return bad("a verb that is no table");
    VerbConfig verb;
    LNK_CHECK(take_text(each.get_object(), "id", verb.id));
    LNK_CHECK(take_text(each.get_object(), "file", verb.file));
    LNK_CHECK(take_text(each.get_object(), "sha256", verb.sha256));
    const json::value* config = each.get_object().if_contains("config");
    // A text is the module's as it is: written again, a number could be another.
    verb.config = config == nullptr ? "{}" : config->is_string() ? std::string(config->get_string()) : json::serialize(*config);
    LNK_CHECK(take_ports(each.get_object(), "inside", verb.inside));
    LNK_CHECK(take_rights(each.get_object(), verb));
    LNK_CHECK(take_upstreams(each.get_object(), verb.upstreams));
    verbs.push_back(std::move(verb));
  }
  return {};
}

Status take_handles(const json::object& from, std::vector<std::pair<std::string, int>>& handles) {
  const json::value* table = from.if_contains("handles");
  if (table == nullptr) return {};
  if (!table->is_object()) return bad("handles is no table");
  for (const auto& each : table->get_object()) {
    const auto* fd = each.value().if_int64();
    if (fd == nullptr || *fd < kFirstHandleFd || *fd >= kFirstHandleFd + kHandlesMax) return bad("a handle without a descriptor");
    handles.emplace_back(each.key(), static_cast<int>(*fd));
  }
  return {};
}

/// Missing or null: there is none.
Status take_limit(const json::object& from, std::optional<std::uint32_t>& calls_per_minute) {
  const json::value* limit = from.if_contains("calls_per_minute");
  if (limit == nullptr || limit->is_null()) return {};
  const auto* calls = limit->if_int64();
  if (calls == nullptr || *calls < 1 || *calls > std::numeric_limits<std::uint32_t>::max())
    return bad("calls_per_minute is no number of calls");
  calls_per_minute = static_cast<std::uint32_t>(*calls);
  return {};
}

Result<WireConfig> parse(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object()) return bad("no JSON table");
  const json::object& from = value.get_object();
  WireConfig config;
  LNK_CHECK(take_text(from, "name", config.name));
  LNK_CHECK(take_text(from, "run", config.run));
  LNK_CHECK(take_text(from, "settings", config.settings));
  LNK_CHECK(take_text(from, "secret", config.secret));
  LNK_CHECK(take_hosts(from, config.hosts));
  LNK_CHECK(take_machines(from, config.machines));
  LNK_CHECK(take_ports(from, "localhost", config.localhost));
  LNK_CHECK(take_ports(from, "local", config.local));
  LNK_CHECK(take_endpoints(from, config.endpoints));
  LNK_CHECK(take_verbs(from, config.verbs));
  LNK_CHECK(take_handles(from, config.handles));
  LNK_CHECK(take_limit(from, config.calls_per_minute));
  const json::value* port = from.if_contains("port");
  if (port == nullptr || !to_port(*port, config.port)) return bad("no port");
  return config;
}

}  // namespace

Result<WireConfig> read_wire_config(int fd) {
  LNK_TRY(const std::string text, read_whole(fd));
  return parse(text);
}

}  // namespace lnk::host
