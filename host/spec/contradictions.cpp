// SPDX-License-Identifier: Apache-2.0
#include "spec/contradictions.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// Where the wire listens inside, and where it answers names where there is [tcp].
constexpr std::uint16_t kWirePort = 40781;
constexpr std::uint16_t kDnsPort = 53;

std::string line(Position at) { return "line " + std::to_string(at.line); }

template <class List>
void refuse_beside_direct(Reader& reader, const Spec& spec, const List& list, std::string_view what) {
  if (list.empty()) return;
  reader.refuse(list.front().at, std::string(what) + " goes through the wire, and [network] direct = true (" +
                                     line(spec.network.direct.at) + ") leaves it out; keep one of the two");
}

void refuse_direct_with_wire(Reader& reader, const Spec& spec) {
  if (!spec.network.direct.value) return;
  refuse_beside_direct(reader, spec, spec.network.hosts, "[network] hosts");
  refuse_beside_direct(reader, spec, spec.lan, "[lan] machines");
  refuse_beside_direct(reader, spec, spec.localhost, "[localhost] ports");
  refuse_beside_direct(reader, spec, spec.tcp, "[tcp] endpoints");
  refuse_beside_direct(reader, spec, spec.model.providers, "[model] providers");
  refuse_beside_direct(reader, spec, spec.model.local, "[model] local");
  refuse_beside_direct(reader, spec, spec.secrets, "[secrets] use");
  refuse_beside_direct(reader, spec, spec.tools, "[tools] use");
  refuse_beside_direct(reader, spec, spec.verbs, "[verb]");
  const std::vector<Written<bool>> pages(spec.open_pages.value ? 1 : 0, spec.open_pages);
  refuse_beside_direct(reader, spec, pages, "[open] pages");
  std::vector<Written<std::uint32_t>> limits;
  if (spec.calls_per_minute) limits.push_back(*spec.calls_per_minute);
  refuse_beside_direct(reader, spec, limits, "[limits] calls_per_minute");
}

using PathKey = std::pair<PathBase, std::string_view>;

PathKey key_of(const WrittenPath& path) { return {path.base, path.rest}; }

void refuse_hidden_grants(Reader& reader, const Spec& spec) {
  std::map<PathKey, Position> hidden;
  for (const WrittenPath& path : spec.files.hide) hidden.emplace(key_of(path), path.at);
  const auto check = [&](const std::vector<WrittenPath>& grants, std::string_view key) {
    for (const WrittenPath& path : grants) {
      const auto found = hidden.find(key_of(path));
      if (found == hidden.end()) continue;
      reader.refuse(path.at, quoted(path.written) + " is in " + std::string(key) + " and in hide (" +
                                 line(found->second) + "); keep one of the two");
    }
  };
  check(spec.files.read, "read");
  check(spec.files.write, "write");
}

/// `~/app` may be `/home/u/app`: only where every path of `write` is written in the same form does the text tell.
void refuse_dot_files_outside_write(Reader& reader, const Spec& spec) {
  for (const WrittenPath& path : spec.files.write_dot_files) {
    const auto may_be = [&](const WrittenPath& other) { return other.base != path.base || other.rest == path.rest; };
    if (std::any_of(spec.files.write.begin(), spec.files.write.end(), may_be)) continue;
    reader.refuse(path.at, quoted(path.written) + " is in write_dot_files and not in write; name it there too");
  }
}

/// Ports that are listened on inside, each once and none of the wire's own; by where they stand.
std::map<std::uint16_t, Position> listened_ports(Reader& reader, const Spec& spec, const std::vector<Written<std::uint16_t>>& ports) {
  std::map<std::uint16_t, Position> seen;
  for (const auto& port : ports) {
    const std::string number = std::to_string(port.value);
    const auto [first, fresh] = seen.emplace(port.value, port.at);
    if (!fresh) reader.refuse(port.at, "port " + number + " is named already (" + line(first->second) + ")");
    if (port.value == kWirePort) reader.refuse(port.at, "port " + number + " is where the wire listens inside");
    if (port.value == kDnsPort && !spec.tcp.empty()) {
      reader.refuse(port.at,
                    "port 53 is where names are answered inside, for [tcp] (" + line(spec.tcp.front().at) + ")");
    }
  }
  return seen;
}

void refuse_two_listeners(Reader& reader, const Spec& spec) {
  const auto runtimes = listened_ports(reader, spec, spec.model.local);
  static_cast<void>(listened_ports(reader, spec, spec.localhost));
  for (const auto& port : spec.localhost) {
    if (const auto local = runtimes.find(port.value); local != runtimes.end()) {
      const std::string number = std::to_string(port.value);
      reader.refuse(port.at, "port " + number + " is a model's in [model] local (" + line(local->second) +
                                 "), and here it would go around its filter");
    }
  }
}

/// On the same port one name has one listener inside.
void refuse_endpoints_twice(Reader& reader, const Spec& spec) {
  std::map<std::pair<std::string_view, std::uint16_t>, Position> seen;
  for (const EndpointGrant& endpoint : spec.tcp) {
    const auto [first, fresh] = seen.emplace(std::pair(std::string_view(endpoint.name), endpoint.port), endpoint.at);
    if (!fresh) reader.refuse(endpoint.at, quoted(endpoint.written) + " is named already (" + line(first->second) + ")");
  }
}

std::string variable_of(std::string_view prefix, std::string_view name) {
  std::string out(prefix);
  for (const char c : name) out += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

/// `telegram` has LNK_SECRET_TELEGRAM and LNK_SECRET_TELEGRAM_URL, so that a secret `telegram-url` can't be beside it.
void refuse_shared_variables(Reader& reader, const std::vector<Written<std::string>>& names, std::string_view prefix,
                             bool has_url) {
  std::map<std::string, const Written<std::string>*> owners;
  for (const auto& name : names) {
    std::vector<std::string> variables = {variable_of(prefix, name.value)};
    if (has_url) variables.push_back(variables.front() + "_URL");
    for (const std::string& variable : variables) {
      const auto [owner, fresh] = owners.emplace(variable, &name);
      if (fresh || owner->second->value == name.value) continue;
      reader.refuse(name.at, quoted(name.value) + " and " + quoted(owner->second->value) + " (" +
                                 line(owner->second->at) + ") would share the variable " + variable);
    }
  }
}

/// They say something of providers alone, and the models of local runtimes too.
void refuse_models_of_no_provider(Reader& reader, const Spec& spec) {
  if (!spec.model.providers.empty()) return;
  const auto refuse = [&reader](Position at, std::string_view key, std::string_view mend) {
    reader.refuse(at, "[model] " + std::string(key) + " is of providers, and [model] providers names none; name one" +
                          std::string(mend) + ", or take " + std::string(key) + " out");
  };
  if (spec.model.server_tools.value) refuse(spec.model.server_tools.at, "server_tools", "");
  if (!spec.model.models.empty() && spec.model.local.empty())
    refuse(spec.model.models.front().at, "models", " or a runtime's port in [model] local");
}

void refuse_variables_set_twice(Reader& reader, const Spec& spec) {
  std::map<std::string_view, Position> seen;
  for (const EnvSet& set : spec.env.set) {
    const auto [first, fresh] = seen.emplace(set.name, set.at);
    if (!fresh) reader.refuse(set.at, set.name + " is set already (" + line(first->second) + "); set it in one place");
  }
}

}  // namespace

void refuse_contradictions(Reader& reader, const Spec& spec) {
  refuse_direct_with_wire(reader, spec);
  refuse_hidden_grants(reader, spec);
  refuse_dot_files_outside_write(reader, spec);
  refuse_two_listeners(reader, spec);
  refuse_endpoints_twice(reader, spec);
  refuse_shared_variables(reader, spec.secrets, "LNK_SECRET_", true);
  refuse_shared_variables(reader, spec.tools, "LNK_MCP_", false);
  refuse_models_of_no_provider(reader, spec);
  refuse_variables_set_twice(reader, spec);
}

}  // namespace lnk::host
