// SPDX-License-Identifier: Apache-2.0
#include "launch/identity.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <variant>

#include "lnk/http/address.hpp"
#include "secrets/keys.hpp"
#include "secrets/store.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "tools/store.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kRunNameSize = 16;

/// A handle may go to its secret's host alone, though other secrets of the verb have others.
void add_upstream(VerbUse& use, const std::string& host, std::string handle) {
  const auto same = [&](const VerbUpstream& upstream) { return upstream.host == host; };
  auto found = std::find_if(use.upstreams.begin(), use.upstreams.end(), same);
  if (found == use.upstreams.end()) found = use.upstreams.insert(found, VerbUpstream{host, 443, {}});
  found->handles.push_back(std::move(handle));
}

/// verb-secret's part: each secret's rule and the placeholder of this run.
Result<VerbUse> use_secrets(const Settings& settings, const ModuleUse& module, const std::vector<GrantedSecret>& granted,
                            RunIdentity& run) {
  VerbUse use{module, {}, {}, {}};
  json::array secrets;
  for (const auto& [name, rule_json] : granted) {
    LNK_TRY(auto kept, load_secret(settings, name));
    // The value that is kept now may go by the rule it was added with alone, and that one was not asked about.
    if (kept.rule_json != rule_json)
      return fail(Code::Gone, "snapshot-stale: the rule of the secret " + host::quoted(name) +
                                  " is not the one that this may use it by; approve the spec again, and wrap a kept command again");
    json::error_code error;
    auto rule = json::parse(rule_json, error);
    if (error) return fail(Code::Invalid, "the rule of the secret " + name + " is not JSON");
    secrets.emplace_back(json::object{{"name", name}, {"rule", std::move(rule)}, {"placeholder", kept.placeholder}});
    run.identity.placeholders.emplace(name, std::move(kept.placeholder));
    run.wire.handles.emplace("secret:" + name, std::move(kept.file));
    add_upstream(use, kept.rule.host, "secret:" + name);
  }
  use.config_json = canonical_json(json::object{{"secrets", std::move(secrets)}});
  return use;
}

/// verb-model's part: each provider's host and the placeholder of this run, and what may be asked of it.
Result<VerbUse> use_keys(const Settings& settings, const ModuleUse& module, const Grants& grants, RunIdentity& run) {
  VerbUse use{module, {}, {}, {}};
  json::array providers;
  for (const auto& [name, host] : grants.model.providers) {
    LNK_TRY(auto kept, load_key(settings, name));
    // The key that is kept now may go where it was added for alone, and that host was not asked about.
    if (kept.host != host)
      return fail(Code::Gone, "snapshot-stale: the key of " + name + " is kept for " + host::quoted(kept.host) +
                                  " now, and this may use it at " + host::quoted(host) +
                                  "; approve the spec again, and wrap a kept command again");
    // No client looks at a key's form. It says what it is, since a person may meet it in a client's log.
    auto placeholder = "lnk-placeholder-" + random_name();
    providers.emplace_back(json::object{{"name", name}, {"host", host}, {"placeholder", placeholder}});
    run.identity.model_placeholders.emplace(name, std::move(placeholder));
    run.wire.handles.emplace("key:" + name, std::move(kept.file));
    add_upstream(use, host, "key:" + name);
  }
  const auto is_any = [](const GrantedHost& host) { return host.name == "*"; };
  const bool any_host = std::any_of(grants.hosts.begin(), grants.hosts.end(), is_any);
  use.config_json = canonical_json(json::object{{"providers", std::move(providers)},
                                                {"server_tools", grants.model.server_tools},
                                                {"models", json::array(grants.model.models.begin(), grants.model.models.end())},
                                                {"any_host", any_host}});
  return use;
}

/// A verb of others is given its table as it stands in the snapshot, and no more than the table opens.
Result<VerbUse> use_table(const Snapshot& snapshot, const GrantedVerb& verb) {
  const auto* module = snapshot.find_module(module_of_verb(verb.id));
  if (module == nullptr) return fail(Code::Invalid, "the snapshot names no module for the verb " + host::quoted(verb.id));
  // A question opens nothing: what is done for a yes is the verb's own, of what its table grants.
  VerbUse use{*module, verb.json, {}, {.inside_ports = verb.inside_ports, .asks = true}};
  for (const auto& [name, port] : verb.hosts) use.upstreams.push_back(VerbUpstream{name, port, {}});
  return use;
}

/// verb-local's part: each runtime's port, and what may be asked of it.
VerbUse use_runtimes(const ModuleUse& module, const ModelGrants& model) {
  VerbUse use{module, {}, {}, {}};
  for (const auto port : model.local) use.upstreams.push_back({"localhost", port, {}, false});
  use.config_json = canonical_json(json::object{{"models", json::array(model.models.begin(), model.models.end())},
                                                {"ports", json::array(model.local.begin(), model.local.end())}});
  return use;
}

/// verb-mcp's part: each tool, and which of its own may be called unasked. What is kept now must be what was asked about.
Result<VerbUse> use_tools(const Settings& settings, const ModuleUse& module, const std::vector<GrantedTool>& granted) {
  VerbUse use{module, {}, {}, {.asks = true}};
  json::array tools;
  for (const auto& tool : granted) {
    LNK_CHECK(load_granted_tool(settings, tool));
    use.rights.tools.push_back(tool.name);
    json::object allow;
    for (const auto& [name, hash] : tool.allow) allow[name] = hash;
    tools.emplace_back(json::object{{"name", tool.name},
                                    {"allow", std::move(allow)},
                                    {"ask", tool.asks ? "all" : "none"},
                                    {"roots", json::array(tool.roots.begin(), tool.roots.end())}});
  }
  use.config_json = canonical_json(json::object{{"tools", std::move(tools)}});
  return use;
}

/// A list of hosts may be long, and pages of hosts that are everyone's are asked for in any case.
bool is_everyones(std::string_view listed) {
  const auto read = http::parse_authority(listed.starts_with("*.") ? listed.substr(2) : listed);
  const auto* authority = std::get_if<http::Authority>(&read);
  return authority == nullptr || http::own_kind(authority->host).empty();
}

std::string with_port(const std::string& name, std::uint16_t port) { return name + ':' + std::to_string(port); }

/// verb-open's part: the hosts that aren't everyone's and may be asked for, and the ports inside that are no program's.
VerbUse use_pages(const ModuleUse& module, const Grants& grants) {
  json::array hosts;
  for (const auto& host : grants.hosts)
    for (const auto port : host.ports)
      if (!is_everyones(host.name)) hosts.emplace_back(with_port(host.name, port));
  json::array machines;
  for (const auto& machine : grants.machines) machines.emplace_back(with_port(machine.name, machine.port));
  json::array carried(grants.localhost.begin(), grants.localhost.end());
  carried.insert(carried.end(), grants.model.local.begin(), grants.model.local.end());
  carried.emplace_back(kWirePort);
  VerbUse use{module, {}, {}, {.asks = true, .pages = true}};
  use.config_json = canonical_json(json::object{{"carried", std::move(carried)},
                                                {"hosts", std::move(hosts)},
                                                {"localhost", json::array(grants.localhost.begin(), grants.localhost.end())},
                                                {"machines", std::move(machines)}});
  return use;
}

}  // namespace

Result<RunIdentity> make_run(const Settings& settings, const Snapshot& snapshot) {
  RunIdentity run;
  run.identity.secret = random_name();
  run.wire.run = random_name().substr(0, kRunNameSize);
  run.wire.settings = settings.folder();
  if (const auto* use = snapshot.find_module("verb-secret"); use != nullptr) {
    LNK_TRY(auto verb, use_secrets(settings, *use, snapshot.grants.secrets, run));
    run.wire.verbs.push_back(std::move(verb));
  }
  if (const auto* use = snapshot.find_module("verb-model"); use != nullptr) {
    LNK_TRY(auto verb, use_keys(settings, *use, snapshot.grants, run));
    run.wire.verbs.push_back(std::move(verb));
  }
  if (const auto* use = snapshot.find_module("verb-mcp"); use != nullptr) {
    LNK_TRY(auto verb, use_tools(settings, *use, snapshot.grants.tools));
    run.wire.verbs.push_back(std::move(verb));
  }
  for (const auto& granted : snapshot.grants.verbs) {
    LNK_TRY(auto verb, use_table(snapshot, granted));
    run.wire.verbs.push_back(std::move(verb));
  }
  if (const auto* use = snapshot.find_module("verb-local"); use != nullptr)
    run.wire.verbs.push_back(use_runtimes(*use, snapshot.grants.model));
  if (const auto* use = snapshot.find_module("verb-open"); use != nullptr)
    run.wire.verbs.push_back(use_pages(*use, snapshot.grants));
  return run;
}

}  // namespace lnk::host
