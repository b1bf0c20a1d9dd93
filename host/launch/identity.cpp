// SPDX-License-Identifier: Apache-2.0
#include "launch/identity.hpp"

#include <boost/json.hpp>

#include "secrets/store.hpp"
#include "snapshot/canonical.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kRunNameSize = 16;

/// verb-secret's part: each secret's rule and the placeholder of this run.
Result<std::string> add_secrets(const Settings& settings, const std::vector<std::string>& names, RunIdentity& run) {
  json::array secrets;
  for (const auto& name : names) {
    LNK_TRY(auto kept, load_secret(settings, name));
    json::error_code error;
    auto rule = json::parse(kept.rule_json, error);
    if (error) return fail(Code::Invalid, "the rule of the secret " + name + " is not JSON");
    secrets.emplace_back(json::object{{"name", name}, {"rule", std::move(rule)}, {"placeholder", kept.placeholder}});
    run.identity.placeholders.emplace(name, std::move(kept.placeholder));
    run.wire.handles.emplace("secret:" + name, std::move(kept.value_file));
  }
  return canonical_json(json::object{{"secrets", std::move(secrets)}});
}

}  // namespace

Result<RunIdentity> make_run(const Settings& settings, const Snapshot& snapshot) {
  RunIdentity run;
  run.identity.secret = random_name();
  run.wire.run = random_name().substr(0, kRunNameSize);
  run.wire.settings = settings.folder();
  if (const auto* use = snapshot.find_module("verb-secret"); use != nullptr) {
    LNK_TRY(auto config, add_secrets(settings, snapshot.grants.secrets, run));
    run.wire.verbs.push_back({*use, std::move(config)});
  }
  return run;
}

}  // namespace lnk::host
