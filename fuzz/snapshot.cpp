// SPDX-License-Identifier: Apache-2.0
//
// Snapshots: only canonical text is accepted, so that a snapshot has one hash, and what is read is written as it was.
#include "snapshot/snapshot.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "entry.hpp"
#include "lnk/cpp/ascii.hpp"
#include "lnk/provider/provider.hpp"
#include "snapshot/canonical.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto value = host::parse_canonical_json(input);
  if (value) LNK_HOLDS(host::canonical_json(*value) == input);
  const auto snapshot = host::parse_snapshot(input);
  if (!snapshot) {
    LNK_HOLDS(!snapshot.error().text.empty());
    return;
  }
  LNK_HOLDS(value.has_value());
  LNK_HOLDS(host::snapshot_json(*snapshot) == input);
  for (const auto& file : snapshot->grants.files) {
    LNK_HOLDS(file.path.starts_with('/') && file.target.starts_with('/'));
  }
  for (const auto& host : snapshot->grants.hosts) {
    for (const auto port : host.ports) LNK_HOLDS(port != 0);
  }
  for (const auto& machine : snapshot->grants.machines) LNK_HOLDS(!machine.name.empty() && machine.port != 0);
  const auto& model = snapshot->grants.model;
  for (std::size_t i = 0; i < model.providers.size(); ++i) {
    const auto* known = provider::find(model.providers[i].name);
    LNK_HOLDS(known != nullptr && provider::is_host_of(*known, model.providers[i].host));
    LNK_HOLDS(i == 0 || model.providers[i - 1].name < model.providers[i].name);
  }
  LNK_HOLDS(!model.providers.empty() || !model.server_tools);
  LNK_HOLDS(!model.providers.empty() || !model.local.empty() || model.models.empty());
  for (const auto& tool : snapshot->grants.tools) {
    LNK_HOLDS(tool.argv.empty() != tool.url.empty() && (tool.argv.empty() || tool.argv.front().starts_with('/')));
    LNK_HOLDS(tool.url.empty() || folded(tool.url).starts_with("http"));
    for (const auto& [name, hash] : tool.allow) LNK_HOLDS(!name.empty() && hash.size() == 64);
  }
  for (const auto& verb : snapshot->grants.verbs) {
    LNK_HOLDS(!verb.id.empty() && verb.json.find('{') != std::string::npos);
    for (const auto& [name, port] : verb.hosts) LNK_HOLDS(!name.empty() && port != 0);
    for (const auto port : verb.inside_ports) LNK_HOLDS(port != 0);
  }
  const auto& opener = snapshot->grants.open_pages;
  LNK_HOLDS(!opener || (opener->starts_with('/') && snapshot->grants.network == host::NetworkMode::Wire));
  const auto& ports = snapshot->grants.localhost;
  for (const auto port : model.local) LNK_HOLDS(std::find(ports.begin(), ports.end(), port) == ports.end());
  for (std::size_t i = 0; i < ports.size(); ++i) LNK_HOLDS(ports[i] != 0 && (i == 0 || ports[i - 1] < ports[i]));
  LNK_HOLDS(host::hash_name(input).size() == 7 + 64);
}

}  // namespace lnk::fuzz
