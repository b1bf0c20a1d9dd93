// SPDX-License-Identifier: Apache-2.0
#include "resolve/wire_variables.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "environment/model_variables.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 9> kWireVariables = {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy",
                                                            "https_proxy", "all_proxy", "no_proxy", "NODE_USE_ENV_PROXY"};

/// Who has a variable of that name; empty: the person.
std::string owner_of(const Resolved& resolved, std::string_view name) {
  if (name.starts_with("LNK_") || std::find(kWireVariables.begin(), kWireVariables.end(), name) != kWireVariables.end())
    return "the wire sets it";
  if (name == "BROWSER" && resolved.open_pages) return "it names the program that asks for pages, for [open] pages";
  for (const auto& [provider, origin] : resolved.providers) {
    const auto variables = model_variables(provider);
    if (std::find(variables.begin(), variables.end(), name) != variables.end())
      return "the wire sets or clears it for the provider " + host::quoted(provider) + " of [model]";
  }
  return {};
}

}  // namespace

void refuse_variables_of_the_wire(const Resolved& resolved, bool has_wire, std::vector<std::string>& refusals) {
  if (!has_wire) return;
  const auto look = [&](std::string_view key, const std::map<std::string, Origin>& origins) {
    for (const auto& [name, origin] : origins)
      if (const auto owner = owner_of(resolved, name); !owner.empty())
        refusals.push_back(origin + ": " + std::string(key) + ' ' + host::quoted(name) + ": " + owner + ", so yours would say nothing; take it out");
  };
  look("set", resolved.env_origins);
  look("pass", resolved.pass_origins);
}

}  // namespace lnk::host
