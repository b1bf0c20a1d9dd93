// SPDX-License-Identifier: Apache-2.0
#include "environment/model_variables.hpp"

#include "lnk/provider/provider.hpp"

namespace lnk::host {

std::vector<std::string_view> model_variables(std::string_view name) {
  std::vector<std::string_view> all;
  const auto* known = provider::find(name);
  if (known == nullptr) return all;
  for (const auto& base : known->bases) all.push_back(base.name);
  for (const auto list : {known->keys, known->settings, known->others}) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void set_model_variables(std::map<std::string, std::string>& environment, const GrantedProvider& granted, std::string_view wire,
                         const std::string& placeholder) {
  const auto* known = provider::find(granted.name);
  if (known == nullptr) return;
  const std::string root = std::string(wire) + "/_link/model/" + granted.name;
  for (const auto& base : known->bases) environment[std::string(base.name)] = root + std::string(base.path);
  for (const auto key : known->keys) environment[std::string(key)] = placeholder;
  for (const auto setting : known->settings) environment[std::string(setting)] = provider::part_of(*known, granted.host);
  for (const auto other : known->others) environment.erase(std::string(other));
}

}  // namespace lnk::host
