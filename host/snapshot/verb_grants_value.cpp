// SPDX-License-Identifier: Apache-2.0
#include "snapshot/verb_grants_value.hpp"

#include <algorithm>
#include <utility>

#include "lnk/provider/provider.hpp"
#include "snapshot/grant_lists.hpp"
#include "snapshot/grants_value.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

Result<GrantedProvider> read_provider_grant(const json::value& value) {
  ObjectReader reader(value, "grants.model.providers[]");
  GrantedProvider granted{reader.text("name"), reader.text("host")};
  const auto* known = provider::find(granted.name);
  if (known == nullptr) reader.fault("name", "is no provider's");
  if (known != nullptr && !provider::is_host_of(*known, granted.host)) reader.fault("host", "is none of the provider's");
  LNK_CHECK(reader.end());
  return granted;
}

Result<GrantedPlace> read_place(const json::value& value) {
  ObjectReader reader(value, "grants.verbs[].hosts[]");
  GrantedPlace place{reader.text("name"), 0};
  const auto* port = reader.member("port").if_int64();
  const bool is_port = port != nullptr && *port >= 1 && *port <= 65535;
  if (place.name.empty() || place.name.find('*') != std::string::npos) reader.fault("name", "is no host's");
  if (!is_port) reader.fault("port", "is not a port");
  if (is_port) place.port = static_cast<std::uint16_t>(*port);
  LNK_CHECK(reader.end());
  return place;
}

Result<GrantedVerb> read_verb(const json::value& value) {
  ObjectReader reader(value, "grants.verbs[]");
  GrantedVerb verb{reader.text("id"), reader.text("table"), {}, {}};
  if (verb.id.empty() || verb.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
    reader.fault("id", "is no verb's");
  json::error_code error;
  if (const auto table = json::parse(verb.json, error); error || !table.is_object()) reader.fault("table", "is no JSON object");
  reader.each("hosts", [&verb](const json::value& element) -> Status {
    LNK_TRY(auto place, read_place(element));
    verb.hosts.push_back(std::move(place));
    return {};
  });
  read_ports(reader, "inside_ports", verb.inside_ports);
  if (!is_in_order(verb.hosts)) reader.fault("hosts", "are not in order, each once");
  if (!is_in_order(verb.inside_ports)) reader.fault("inside_ports", "are not in order, each once");
  LNK_CHECK(reader.end());
  return verb;
}

}  // namespace

json::object model_json(const ModelGrants& model) {
  json::array providers;
  for (const auto& [name, host] : model.providers) providers.emplace_back(json::object{{"name", name}, {"host", host}});
  return {{"providers", std::move(providers)}, {"server_tools", model.server_tools}, {"models", strings_json(model.models)}, {"local", ports_json(model.local)}};
}

json::array verbs_json(const std::vector<GrantedVerb>& verbs) {
  json::array array;
  for (const auto& verb : verbs) {
    json::array hosts;
    for (const auto& [name, port] : verb.hosts) hosts.emplace_back(json::object{{"name", name}, {"port", std::uint64_t{port}}});
    array.emplace_back(json::object{{"id", verb.id},
                                    {"table", verb.json},
                                    {"hosts", std::move(hosts)},
                                    {"inside_ports", ports_json(verb.inside_ports)}});
  }
  return array;
}

Status read_model(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.model");
  auto& model = grants.model;
  reader.each("providers", [&model](const json::value& element) -> Status {
    LNK_TRY(auto granted, read_provider_grant(element));
    model.providers.push_back(std::move(granted));
    return {};
  });
  if (!is_in_order(model.providers, &GrantedProvider::name)) reader.fault("providers", "are not in order, each once");
  model.server_tools = reader.boolean("server_tools");
  model.models = reader.texts("models");
  if (!is_in_order(model.models)) reader.fault("models", "are not in order, each once");
  if (std::find(model.models.begin(), model.models.end(), "") != model.models.end()) reader.fault("models", "has an empty name");
  read_own_ports(reader, "local", grants.network, model.local);
  const auto is_carried = [&grants](std::uint16_t port) { return std::binary_search(grants.localhost.begin(), grants.localhost.end(), port); };
  if (std::any_of(model.local.begin(), model.local.end(), is_carried)) reader.fault("local", "has a port that is carried in as it is");
  const bool has_models = !model.providers.empty() || !model.local.empty();
  if ((model.providers.empty() && model.server_tools) || (!has_models && !model.models.empty())) reader.fault("providers", "are missing");
  if (!model.providers.empty() && grants.network != NetworkMode::Wire) reader.fault("providers", "are named without a wire");
  return reader.end();
}

void read_verbs(ObjectReader& reader, Grants& grants) {
  reader.each("verbs", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto verb, read_verb(element));
    grants.verbs.push_back(std::move(verb));
    return {};
  });
  if (!is_in_order(grants.verbs, &GrantedVerb::id)) reader.fault("verbs", "are not in order, each once");
  if (!grants.verbs.empty() && grants.network != NetworkMode::Wire) reader.fault("verbs", "are named without a wire");
}

}  // namespace lnk::host
