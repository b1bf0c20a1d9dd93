// SPDX-License-Identifier: Apache-2.0
#include "spec_model.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <string_view>
#include <vector>

#include "property.hpp"

namespace lnk::fuzz {
namespace {

void check_path(const host::WrittenPath& path, bool may_be_optional) {
  std::string_view text = path.written;
  LNK_HOLDS(text.starts_with("/") || text.starts_with("~/") || text.starts_with("./"));
  if (path.optional) text.remove_suffix(1);
  LNK_HOLDS(may_be_optional || !path.optional);
  LNK_HOLDS(text.find_first_of("*?$") == std::string_view::npos && text.find('\0') == std::string_view::npos);
  std::stringstream parts(path.rest);
  std::string part;
  while (std::getline(parts, part, '/')) LNK_HOLDS(!part.empty() && part != "." && part != "..");
  LNK_HOLDS(!path.rest.starts_with('/') && !path.rest.ends_with('/'));
  LNK_HOLDS(std::string(text).find(path.rest.substr(path.rest.rfind('/') + 1)) != std::string::npos);
}

void check_files(const host::FilesTable& files) {
  for (const auto& path : files.read) check_path(path, true);
  for (const auto& path : files.write) {
    check_path(path, true);
    LNK_HOLDS(!path.rest.empty() || path.base == host::PathBase::SpecFolder);
  }
  for (const auto& path : files.hide) {
    check_path(path, false);
    for (const auto* open : {&files.read, &files.write}) {
      for (const auto& other : *open) LNK_HOLDS(other.base != path.base || other.rest != path.rest);
    }
  }
}

/// Ranges that are never the internet's, as plain numbers.
bool is_public4(std::uint32_t address) {
  struct Net {
    std::uint32_t first;
    std::uint32_t last;
  };
  constexpr std::array<Net, 10> kClosed = {{{0x00000000, 0x00FFFFFF},
                                            {0x0A000000, 0x0AFFFFFF},
                                            {0x64400000, 0x647FFFFF},
                                            {0x7F000000, 0x7FFFFFFF},
                                            {0xA9FE0000, 0xA9FEFFFF},
                                            {0xAC100000, 0xAC1FFFFF},
                                            {0xC0A80000, 0xC0A8FFFF},
                                            {0xC6120000, 0xC613FFFF},
                                            {0xA83F8110, 0xA83F8110},
                                            {0xE0000000, 0xFFFFFFFF}}};
  return std::none_of(kClosed.begin(), kClosed.end(),
                      [address](const Net& net) { return address >= net.first && address <= net.last; });
}

void check_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  LNK_HOLDS(!name.empty() && name.size() <= 253 && std::all_of(name.begin(), name.end(), fits));
  LNK_HOLDS(name.find("..") == std::string_view::npos && name.front() != '.' && name.back() != '.');
  LNK_HOLDS(name != "localhost" && !name.ends_with(".localhost") && name != "metadata.google.internal");
  in_addr address{};
  LNK_HOLDS(::inet_aton(std::string(name).c_str(), &address) == 0);
}

void check_host(const host::HostGrant& host) {
  LNK_HOLDS(!host.ports.empty());
  LNK_HOLDS(std::find(host.ports.begin(), host.ports.end(), 0) == host.ports.end());
  switch (host.kind) {
    case host::HostKind::Any:
      LNK_HOLDS(host.name == "*");
      return;
    case host::HostKind::Name:
      check_name(host.name);
      return;
    case host::HostKind::Below:
      LNK_HOLDS(host.name.starts_with("*."));
      check_name(std::string_view(host.name).substr(2));
      LNK_HOLDS(host.name.find('.', 2) != std::string::npos);
      return;
    case host::HostKind::Ipv4: {
      in_addr address{};
      LNK_HOLDS(::inet_pton(AF_INET, host.name.c_str(), &address) == 1);
      LNK_HOLDS(is_public4(ntohl(address.s_addr)));
      return;
    }
    case host::HostKind::Ipv6: {
      in6_addr address{};
      LNK_HOLDS(::inet_pton(AF_INET6, host.name.c_str(), &address) == 1);
      LNK_HOLDS((address.s6_addr[0] & 0xE0U) == 0x20);
      LNK_HOLDS(!(address.s6_addr[0] == 0x20 && address.s6_addr[1] == 0x02));
      return;
    }
  }
}

/// An endpoint is reached by its name; a mongodb+srv name has no port, and a domain that is somebody's own.
void check_endpoint(const host::EndpointGrant& endpoint) {
  LNK_HOLDS(endpoint.srv == (endpoint.port == 0));
  const bool is_below = endpoint.kind == host::HostKind::Below;
  LNK_HOLDS(is_below || endpoint.kind == host::HostKind::Name);
  LNK_HOLDS(is_below == endpoint.name.starts_with("*."));
  check_name(std::string_view(endpoint.name).substr(is_below ? 2 : 0));
  if (!endpoint.srv) return;
  LNK_HOLDS(!is_below && std::count(endpoint.name.begin(), endpoint.name.end(), '.') >= 2 && !endpoint.name.ends_with(".local"));
}

/// A machine has one port, no *, and an address that is neither this machine's nor of many.
void check_machine(const host::HostGrant& machine) {
  LNK_HOLDS(machine.ports.size() == 1 && machine.ports.front() != 0);
  in_addr four{};
  in6_addr six{};
  switch (machine.kind) {
    case host::HostKind::Any:
    case host::HostKind::Below:
      LNK_HOLDS(false);
      return;
    case host::HostKind::Name:
      check_name(machine.name);
      return;
    case host::HostKind::Ipv4: {
      LNK_HOLDS(::inet_pton(AF_INET, machine.name.c_str(), &four) == 1);
      const std::uint32_t address = ntohl(four.s_addr);
      LNK_HOLDS(address >> 24U != 127 && address >> 24U != 0 && address < 0xE0000000);
      LNK_HOLDS(address != 0xA9FEA9FE && address != 0xA83F8110);
      return;
    }
    case host::HostKind::Ipv6:
      LNK_HOLDS(::inet_pton(AF_INET6, machine.name.c_str(), &six) == 1);
      LNK_HOLDS((six.s6_addr[0] & 0xE0U) == 0x20 || (six.s6_addr[0] & 0xFEU) == 0xFC ||
                (six.s6_addr[0] == 0xFE && six.s6_addr[1] >= 0xC0));
      return;
  }
}

void check_ports(const std::vector<host::Written<std::uint16_t>>& ports) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    LNK_HOLDS(ports[i].value != 0 && ports[i].value != 40781);
    for (std::size_t j = 0; j < i; ++j) LNK_HOLDS(ports[i].value != ports[j].value);
  }
}

void check_plain_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  LNK_HOLDS(!name.empty() && name.size() <= 40 && std::all_of(name.begin(), name.end(), fits));
}

void check_variable(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  LNK_HOLDS(!name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), fits));
  for (const auto* one : {"LD_PRELOAD", "BASH_ENV", "ENV", "NODE_OPTIONS", "PYTHONSTARTUP", "PERL5OPT"})
    LNK_HOLDS(name != one);
  LNK_HOLDS(!name.starts_with("LD_"));
}

void check_models_and_limits(const host::Spec& spec) {
  LNK_HOLDS(!spec.model.providers.empty() || !spec.model.server_tools.value);
  LNK_HOLDS(!spec.model.providers.empty() || !spec.model.local.empty() || spec.model.models.empty());
  LNK_HOLDS(!spec.calls_per_minute || (spec.calls_per_minute->value >= 1 && spec.calls_per_minute->value <= 10'000'000));
}

/// A module's table is the module's; what it is handed on as stands in the file.
void check_verbs(const host::Spec& spec) {
  for (const auto& verb : spec.verbs) {
    check_name(verb.id);
    for (const auto* own : {"model", "secret", "local", "mcp", "open"}) LNK_HOLDS(verb.id != own);
    LNK_HOLDS(verb.json.starts_with('{') && verb.json.ends_with('}'));
    LNK_HOLDS((verb.json == "{}") == verb.places.empty());
    for (const auto& [path, at] : verb.places) LNK_HOLDS(path.starts_with('/') && at.line >= 1 && at.column >= 1);
    LNK_HOLDS(std::count_if(spec.verbs.begin(), spec.verbs.end(), [&verb](const auto& other) { return other.id == verb.id; }) == 1);
  }
}

std::string toml_string(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_list(std::string_view key, const std::vector<std::string>& values) {
  std::string out = std::string(key) + " = [";
  for (const std::string& value : values) out += toml_string(value) + ", ";
  return out + "]\n";
}

std::string printed_path(const host::WrittenPath& path) {
  const std::string_view base = path.base == host::PathBase::Root   ? "/"
                                : path.base == host::PathBase::Home ? "~/"
                                                                    : "./";
  return std::string(base) + path.rest + (path.optional ? "?" : "");
}

std::string printed_paths(std::string_view key, const std::vector<host::WrittenPath>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) out.push_back(printed_path(path));
  return toml_list(key, out);
}

std::vector<std::string> printed_hosts(const std::vector<host::HostGrant>& hosts) {
  std::vector<std::string> out;
  for (const auto& host : hosts) {
    const std::string name = host.kind == host::HostKind::Ipv6 ? "[" + host.name + "]" : host.name;
    out.push_back(host.ports == std::vector<std::uint16_t>{80, 443} ? name
                                                                    : name + ":" + std::to_string(host.ports.front()));
  }
  return out;
}

}  // namespace

void check_spec(const host::Spec& spec) {
  check_plain_name(spec.name.value);
  check_files(spec.files);
  for (const auto& host : spec.network.hosts) check_host(host);
  for (const auto& machine : spec.lan) check_machine(machine);
  check_ports(spec.localhost);
  check_ports(spec.model.local);
  for (const auto& port : spec.model.local)
    LNK_HOLDS(std::none_of(spec.localhost.begin(), spec.localhost.end(), [&port](const auto& one) { return one.value == port.value; }));
  for (const auto& endpoint : spec.tcp) check_endpoint(endpoint);
  if (spec.network.direct.value)
    LNK_HOLDS(spec.network.hosts.empty() && spec.lan.empty() && spec.localhost.empty() && spec.tcp.empty() && spec.secrets.empty() &&
              spec.model.local.empty() && spec.tools.empty() && !spec.open_pages.value);
  for (const auto& tool : spec.tools) check_plain_name(tool.value);
  for (const auto& secret : spec.secrets) check_plain_name(secret.value);
  for (const auto& pass : spec.env.pass) check_variable(pass.name);
  for (const auto& set : spec.env.set) {
    check_variable(set.name);
    LNK_HOLDS(set.value.find('\0') == std::string::npos);
  }
  check_models_and_limits(spec);
  check_verbs(spec);
}

std::string printed_spec(const host::Spec& spec) {
  std::string out = "name = " + toml_string(spec.name.value) + "\n[files]\n" + printed_paths("read", spec.files.read) +
                    printed_paths("write", spec.files.write) + printed_paths("hide", spec.files.hide) + "[network]\n" +
                    toml_list("hosts", printed_hosts(spec.network.hosts)) +
                    "direct = " + (spec.network.direct.value ? "true" : "false") + "\n[lan]\n" +
                    toml_list("machines", printed_hosts(spec.lan)) +
                    "[localhost]\nports = [";
  for (const auto& port : spec.localhost) out += std::to_string(port.value) + ", ";
  std::vector<std::string> names;
  for (const auto& endpoint : spec.tcp)
    names.push_back(endpoint.srv ? "mongodb+srv://" + endpoint.name : endpoint.name + ":" + std::to_string(endpoint.port));
  out += "]\n[model]\nlocal = [";
  for (const auto& port : spec.model.local) out += std::to_string(port.value) + ", ";
  out += "]\n[tcp]\n" + toml_list("endpoints", names) + "[secrets]\n";
  names.clear();
  for (const auto& secret : spec.secrets) names.push_back(secret.value);
  out += toml_list("use", names) + "[tools]\n";
  names.clear();
  for (const auto& tool : spec.tools) names.push_back(tool.value);
  out += toml_list("use", names) + "[open]\npages = " + (spec.open_pages.value ? "true" : "false") + "\n[env]\n";
  names.clear();
  for (const auto& pass : spec.env.pass) names.push_back(pass.prefix ? pass.name + "*" : pass.name);
  out += toml_list("pass", names) + "[env.set]\n";
  for (const auto& set : spec.env.set) out += set.name + " = " + toml_string(set.value) + "\n";
  return out;
}

}  // namespace lnk::fuzz
