// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/verb_loading.hpp"

#include <algorithm>
#include <utility>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

Result<HeldVerb> load_verb(const VerbConfig& config, const Warn& warn) {
  LoadOptions options;
  options.sha256 = config.sha256;
  LNK_TRY(auto module, Module::load(config.file, options));
  if (module.id() != config.id) return fail(Code::Invalid, "the file holds " + std::string(module.id()));
  InstanceOptions instance_options;
  instance_options.config_json = config.config;
  instance_options.log = [warn](std::uint32_t, std::string_view id, std::string_view line) {
    warn(std::string(id).append(": ").append(line));
  };
  LNK_TRY(auto instance, Instance::create(module, instance_options));
  LNK_TRY(const auto* table, instance.require<lnk_verb>(LNK_VERB_ID, LNK_VERB_MAJOR));
  LNK_TRY(auto verb, LoadedVerb::make(config.id, *table, instance.get(), config.upstreams));
  return HeldVerb{std::move(module), std::move(instance), std::move(verb)};
}

/// The first route that both claim, empty where none is.
std::string clash_of(const LoadedVerb& a, const LoadedVerb& b) {
  for (const Route& mine : a.declared().routes) {
    for (const Route& other : b.declared().routes) {
      if (routes_clash(mine, other)) return mine.path.size() >= other.path.size() ? mine.path : other.path;
    }
  }
  return {};
}

}  // namespace

Result<std::vector<HeldVerb>> load_verbs(const std::vector<VerbConfig>& configs, const Warn& warn) {
  std::vector<HeldVerb> held;
  for (const VerbConfig& config : configs) {
    auto loaded = load_verb(config, warn);
    if (!loaded) return fail(std::move(loaded).error().within("verb " + config.id + " can't be loaded"));
    held.push_back(std::move(loaded).value());
  }
  return held;
}

RouteTable mount(const std::vector<LoadedVerb*>& verbs, const Warn& warn) {
  std::vector<bool> clashes(verbs.size(), false);
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto route = clash_of(*verbs[i], *verbs[k]);
      if (route.empty()) continue;
      clashes[i] = clashes[k] = true;
      warn("verbs " + verbs[k]->id() + " and " + verbs[i]->id() + " both claim /_link/" + route +
           "; neither is loaded");
    }
  }
  RouteTable table;
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    const auto& routes = verbs[i]->declared().routes;
    for (std::size_t at = 0; !clashes[i] && at < routes.size(); ++at)
      table.add(i, static_cast<std::uint32_t>(at), routes[at]);
  }
  return table;
}

Result<void> load_handles(const std::vector<LoadedVerb*>& verbs, const WireConfig& config, HandleStore& handles) {
  for (const auto& [handle, number] : config.handles) {
    const UniqueFd fd(number);
    LNK_CHECK(handles.load(handle, fd.get()));
  }
  for (const LoadedVerb* verb : verbs)
    for (const VerbUpstream& upstream : verb->upstreams())
      for (const std::string& handle : upstream.handles)
        if (handles.find(handle) == nullptr) return fail(Code::Gone, "no value for " + handle);
  return {};
}

}  // namespace lnk::host
