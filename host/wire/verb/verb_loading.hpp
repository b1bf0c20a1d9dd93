// SPDX-License-Identifier: Apache-2.0
//
// The verbs of a run, loaded and mounted.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "modules/instance.hpp"
#include "modules/module.hpp"
#include "wire/config.hpp"
#include "wire/verb/handles.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/route_table.hpp"

namespace lnk::host {

using Warn = std::function<void(std::string_view line)>;

/// A verb with what it lives in. Destroyed in the order verb, instance; the module's file is never unloaded.
struct HeldVerb {
  Module module;
  Instance instance;
  std::unique_ptr<LoadedVerb> verb;
};

/// Loads each. A spec names the verbs that it uses, so one that can't be loaded fails all: who asked for it is told at
/// the start, and not by a refused call. errors: names the verb and what its loading failed with.
Result<std::vector<HeldVerb>> load_verbs(const std::vector<VerbConfig>& configs, const Warn& warn);

/// The verbs whose routes no other claims, mounted. Of two that claim one route neither is, and both are named.
RouteTable mount(const std::vector<LoadedVerb*>& verbs, const Warn& warn);

/// The values behind the descriptors of the configuration, which are closed then; each that the verbs may use is there.
/// errors: a handle with no file, or as HandleStore::load.
Result<void> load_handles(const std::vector<LoadedVerb*>& verbs, const WireConfig& config, HandleStore& handles);

}  // namespace lnk::host
