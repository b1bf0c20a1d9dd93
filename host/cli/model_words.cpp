// SPDX-License-Identifier: Apache-2.0
#include "cli/model_words.hpp"

#include <algorithm>

#include "lnk/provider/provider.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

bool lists_any_host(const Grants& grants) {
  return std::any_of(grants.hosts.begin(), grants.hosts.end(), [](const auto& host) { return host.name == "*"; });
}

/// The listed host that covers a provider's own; null: none does. Any host is no list.
const GrantedHost* listed_for(const Grants& grants, std::string_view name) {
  const auto covers = [name](const GrantedHost& host) {
    const std::string_view listed = host.name;
    return listed == name || (listed.starts_with("*.") && name.size() > listed.size() - 1 && name.ends_with(listed.substr(1)));
  };
  const auto found = std::find_if(grants.hosts.begin(), grants.hosts.end(), covers);
  return found == grants.hosts.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> models_in_words(const Grants& grants) {
  const auto& model = grants.model;
  std::vector<std::string> lines;
  for (const auto& [name, host] : model.providers)
    lines.push_back("asks     models of " + name + " at " + shown(host) + ", by your key, without holding it");
  for (const auto port : model.local)
    lines.push_back("asks     the local runtime of models at port " + std::to_string(port) + " of this machine, for inference alone, at localhost:" +
                    std::to_string(port) + " inside");
  if (lines.empty()) return lines;
  std::string models;
  for (const auto& one : model.models) models += (models.empty() ? "" : ", ") + host::quoted_whole(one);
  lines.push_back(models.empty() ? "asks     any model of theirs" : "asks     the models " + models + " alone");
  if (model.providers.empty()) return lines;
  lines.emplace_back(model.server_tools ? "asks     with the providers' own tools left in: they search, fetch and run code for it"
                                        : "but not  with the providers' own tools, which would search, fetch or run code there");
  lines.emplace_back(lists_any_host(grants) ? "asks     models that search by themselves too, since it reaches any host as it is"
                                            : "but not  models that search by themselves, or a URL that a provider would fetch");
  return lines;
}

std::vector<std::string> model_warnings(const Grants& grants) {
  std::vector<std::string> warnings;
  const auto& model = grants.model;
  if (!model.local.empty())
    warnings.emplace_back("[model] local: a runtime does what its own settings say for whoever asks it, and its faults are open to the program's "
                          "requests; one that can run models elsewhere is told not to by its own settings (Ollama: OLLAMA_NO_CLOUD=1)");
  if (!model.local.empty() && model.models.empty())
    warnings.emplace_back("[model] local without models: some runtimes (mlx_lm, LocalAI) fetch what a model's name names, so only names without a / "
                          "are asked for; models = [...] says which there are");
  if (model.server_tools)
    warnings.emplace_back("[model] server_tools = true: what a provider's own tools search, fetch or run goes out from the provider, "
                          "unseen by the wire");
  if (!model.providers.empty() && lists_any_host(grants))
    warnings.emplace_back("[network] hosts = [\"*\"] beside [model]: the sandbox reaches the web itself, and models that search by themselves; "
                          "a list of hosts would keep both out");
  for (const auto& known : provider::providers()) {
    const auto* listed = listed_for(grants, known.hosts.front());
    if (listed != nullptr)
      warnings.push_back(host::quoted(listed->name) + " in hosts covers " + std::string(known.hosts.front()) + ": with a key of its own a program has a model of " +
                         std::string(known.name) + " search and fetch there, unseen by the wire; [model] providers = [" + host::quoted(known.name) +
                         "] keeps key and tools out");
  }
  return warnings;
}

}  // namespace lnk::host
