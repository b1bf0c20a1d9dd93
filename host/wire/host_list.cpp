// SPDX-License-Identifier: Apache-2.0
#include "wire/host_list.hpp"

#include <algorithm>

namespace lnk::host {
namespace {

void add_ports(std::vector<std::uint16_t>& ports, const std::vector<std::uint16_t>& more) {
  for (const std::uint16_t port : more) {
    if (std::find(ports.begin(), ports.end(), port) == ports.end()) ports.push_back(port);
  }
}

/// An IPv6 address may stand in brackets, as in a URL, or without.
std::string_view without_brackets(std::string_view name) noexcept {
  return name.size() > 2 && name.front() == '[' && name.back() == ']' ? name.substr(1, name.size() - 2) : name;
}

std::string key_of(const http::Host& host, std::uint16_t port) { return host.text + " " + std::to_string(port); }

http::Checked<http::Host> read_host(std::string_view name) { return http::parse_host(without_brackets(name)); }

Failure unreadable(std::string_view what, const std::string& name, const http::Checked<http::Host>& host) {
  return fail(Code::Invalid, std::string(what) + name + ": " + std::get<http::Refusal>(host).words);
}

}  // namespace

Status HostList::add(const LanMachine& machine) {
  auto host = read_host(machine.name);
  if (http::is_refused(host)) return unreadable("the machine ", machine.name, host);
  const auto& read = std::get<http::Host>(host);
  ListedMachine listed;
  if (!machine.address.empty()) {
    auto address = read_host(machine.address);
    if (http::is_refused(address)) return unreadable("the address of the machine ", machine.name, address);
    const auto& at = std::get<http::Host>(address);
    if (at.kind == http::HostKind::Name) return fail(Code::Invalid, "the machine " + machine.name + " is pinned to no address");
    listed.pinned = Address{at.kind == http::HostKind::Ipv6, at.address};
  }
  if (is_link_name(read.text) && !listed.pinned)
    return fail(Code::Invalid, "the machine " + machine.name + " is not pinned to an address");
  machines_.insert_or_assign(key_of(read, machine.port), listed);
  return {};
}

Status HostList::add(const HostGrant& grant) {
  if (grant.ports.empty() || std::find(grant.ports.begin(), grant.ports.end(), 0) != grant.ports.end()) {
    return fail(Code::Invalid, "the host " + grant.name + " has no port");
  }
  if (grant.name == "*") {
    add_ports(any_ports_, grant.ports);
    return {};
  }
  const bool is_suffix = grant.name.starts_with("*.");
  auto host = read_host(std::string_view(grant.name).substr(is_suffix ? 2 : 0));
  if (http::is_refused(host)) return unreadable("the host ", grant.name, host);
  const auto& read = std::get<http::Host>(host);
  if (is_suffix && read.kind != http::HostKind::Name)
    return fail(Code::Invalid, "the host " + grant.name + " is no name");
  add_ports((is_suffix ? under_ : exact_)[read.text], grant.ports);
  return {};
}

Result<HostList> HostList::make(const std::vector<HostGrant>& grants, const std::vector<LanMachine>& machines) {
  HostList list;
  for (const HostGrant& grant : grants) LNK_CHECK(list.add(grant));
  for (const LanMachine& machine : machines) LNK_CHECK(list.add(machine));
  return list;
}

bool HostList::holds(const Names& names, std::string_view name, std::uint16_t port) {
  const auto found = names.find(name);
  return found != names.end() && std::find(found->second.begin(), found->second.end(), port) != found->second.end();
}

const ListedMachine* HostList::find_machine(const http::Authority& target) const {
  const auto found = machines_.find(key_of(target.host, target.port));
  return found == machines_.end() ? nullptr : &found->second;
}

bool HostList::allows(const http::Authority& target) const {
  if (std::find(any_ports_.begin(), any_ports_.end(), target.port) != any_ports_.end()) return true;
  const std::string_view name = target.host.text;
  if (holds(exact_, name, target.port)) return true;
  if (target.host.kind != http::HostKind::Name) return false;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (holds(under_, name.substr(dot + 1), target.port)) return true;
  }
  return false;
}

std::vector<std::uint16_t> HostList::ports_of(std::string_view name) const {
  std::vector<std::uint16_t> ports;
  const auto take = [&ports](const Names& names, std::string_view key) {
    if (const auto found = names.find(key); found != names.end()) add_ports(ports, found->second);
  };
  take(exact_, name);
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
    take(under_, name.substr(dot + 1));
  std::sort(ports.begin(), ports.end());
  return ports;
}

}  // namespace lnk::host
