// SPDX-License-Identifier: Apache-2.0
#include "launch/machine_state.hpp"

#include <boost/json.hpp>

#include "digest/sha256.hpp"
#include "lnk/posix/process.hpp"
#include "modules/module.hpp"
#include "snapshot/canonical.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// One file for each module file, so that a build tree and an installed program don't take turns.
std::string state_name(const std::string& module_file) { return "machine/" + sha256_hex(module_file) + ".json"; }

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains({key.data(), key.size()});
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

}  // namespace

Result<MachineState> load_machine_state(const Settings& settings, const std::string& module_file) {
  LNK_TRY(const auto text, settings.read(state_name(module_file)));
  if (!text) return MachineState();
  LNK_TRY(const auto boot, posix::boot_id());
  json::error_code error;
  const auto value = json::parse(*text, error);
  const auto* object = error ? nullptr : value.if_object();
  // Another boot, or not what this program writes: it is learned again.
  if (object == nullptr || text_of(*object, "boot") != boot) return MachineState();
  return MachineState{text_of(*object, "module_sha256"), text_of(*object, "module_stamp"), text_of(*object, "survey")};
}

Status keep_machine_state(const Settings& settings, const std::string& module_file, const MachineState& state) {
  // Only what passed is kept: what a machine could not do is tried again at the next start.
  json::error_code error;
  const auto survey = json::parse(state.survey_json, error);
  const auto* object = error ? nullptr : survey.if_object();
  const auto* keep = object == nullptr ? nullptr : object->if_contains("keep");
  if (keep == nullptr || !keep->is_bool() || !keep->get_bool()) return settings.remove(state_name(module_file));
  LNK_TRY(auto boot, posix::boot_id());
  return settings.write(state_name(module_file), canonical_json(json::object{{"boot", std::move(boot)},
                                                                             {"module_sha256", state.module_sha256},
                                                                             {"module_stamp", state.module_stamp},
                                                                             {"survey", state.survey_json}}));
}

Result<std::string> module_hash(const Settings& settings, const std::string& module_file) {
  LNK_TRY(const auto state, load_machine_state(settings, module_file));
  LNK_TRY(const auto stamp, file_stamp(module_file));
  if (!state.module_sha256.empty() && state.module_stamp == stamp) return state.module_sha256;
  return sha256_file(module_file);
}

}  // namespace lnk::host
