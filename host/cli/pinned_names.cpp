// SPDX-License-Identifier: Apache-2.0
#include "cli/pinned_names.hpp"

#include <algorithm>
#include <map>

#include "approval/approval.hpp"
#include "launch/link_name.hpp"
#include "spec/shown.hpp"
#include "wire/address.hpp"

namespace lnk::host {
namespace {

Result<std::string> address_now(const Parts& parts, const std::string& name) {
  LNK_TRY(const auto addresses, look_up_link_name(parts, name));
  LNK_TRY(const auto address, choose_lan_address(addresses));
  return to_text(address);
}

/// By name.
Result<std::map<std::string, std::string>> approved_addresses(const Settings& settings, const std::string& spec_path) {
  std::map<std::string, std::string> addresses;
  LNK_TRY(const auto last, last_approved(settings, spec_path));
  if (!last) return addresses;
  for (const auto& machine : last->machines)
    if (!machine.address.empty()) addresses.emplace(machine.name, machine.address);
  return addresses;
}

}  // namespace

Status pin_link_names(const Context& context, const std::string& spec_path, Pins pins, Resolved& resolved) {
  const auto is_pinned = [](const ResolvedMachine& machine) { return is_link_name(machine.grant.name); };
  if (std::none_of(resolved.machines.begin(), resolved.machines.end(), is_pinned)) return {};
  std::map<std::string, std::string> known;
  if (pins == Pins::AsApproved) {
    LNK_TRY(known, approved_addresses(context.settings, spec_path));
  }
  for (auto& [grant, origin] : resolved.machines) {
    if (!is_link_name(grant.name)) continue;
    auto found = known.find(grant.name);
    if (found == known.end()) {
      auto address = address_now(context.parts, grant.name);
      if (!address)
        resolved.refusals.push_back(origin + ": machines " + host::quoted(grant.name) + ": " + address.error().text +
                                    "; start that machine, or write its address in place of its name");
      // Told once, though it stands at several ports.
      found = known.emplace(grant.name, address ? std::move(*address) : std::string()).first;
    }
    grant.address = found->second;
  }
  return {};
}

}  // namespace lnk::host
