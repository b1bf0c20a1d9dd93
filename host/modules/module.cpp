// SPDX-License-Identifier: Apache-2.0
#include "modules/module.hpp"

#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/posix/os_error.hpp"
#include "modules/library.hpp"
#include "modules/module_file.hpp"

namespace lnk::host {

namespace {

constexpr std::size_t kVersionMax = 64;
constexpr std::size_t kCapabilitiesMax = 256;     // records of one probe
constexpr std::size_t kCapabilityTextMax = 1024;  // bytes of each of their texts

/// What was checked of a file, before any of it runs.
struct Checked {
  Note note;
  std::string stamp;
};

Result<Checked> check_file(const std::filesystem::path& file, const LoadOptions& options) {
  LNK_TRY(const ModuleFile opened, ModuleFile::open(file));
  Checked checked{{}, opened.stamp()};
  const bool is_known = !options.stamp.empty() && options.stamp == opened.stamp();
  if (!options.sha256.empty() && !is_known) LNK_CHECK(opened.check_hash(options.sha256));
  LNK_TRY(checked.note, opened.note());
  if (file.filename() != checked.note.id + ".so")
    return fail(Code::Invalid,
                "its note says '" + checked.note.id + "', so its file must be named " + checked.note.id + ".so");
  LNK_CHECK(parse_requirements(checked.note.needs));
  if (options.machine) LNK_CHECK(check_requirements(checked.note.needs, *options.machine));
  return checked;
}

std::string bounded(lnk_str text) { return std::string(detail::cut_text(view(text), kCapabilityTextMax)); }

lnk_status take_capability(void* context, const lnk_capability* record) noexcept {
  auto& list = *static_cast<std::vector<MachineCapability>*>(context);
  return barrier(nullptr, [&]() -> Status {
    if (record == nullptr || record->size < sizeof(lnk_capability)) return fail(Code::Invalid, "a short record");
    if (list.size() == kCapabilitiesMax) return fail(Code::Limit, "too many records");
    list.push_back({bounded(record->name), record->state, record->level, record->os_errno, bounded(record->evidence),
                    bounded(record->mend)});
    return {};
  });
}

}  // namespace

Result<void> check_table(const lnk_module_api& api, const Note& note) {
  if (api.head.size < sizeof(lnk_module_api))
    return fail(Code::Invalid, "its table has " + std::to_string(api.head.size) + " bytes; that of SDK 1.0 has " +
                                   std::to_string(sizeof(lnk_module_api)));
  if (api.head.major != note.sdk_major || api.head.minor != note.sdk_minor)
    return fail(Code::Invalid, "its table is of SDK " + std::to_string(api.head.major) + "." +
                                   std::to_string(api.head.minor) + ", and its note says " +
                                   std::to_string(note.sdk_major) + "." + std::to_string(note.sdk_minor));
  if (view(api.id) != note.id)
    return fail(Code::Invalid, "its table's id is '" + posix::escaped(detail::cut_text(view(api.id), kVersionMax)) +
                                   "', and its note says '" + note.id + "'");
  const std::pair<std::string_view, bool> functions[] = {{"probe", api.probe != nullptr},
                                                         {"check_config", api.check_config != nullptr},
                                                         {"create", api.create != nullptr},
                                                         {"destroy", api.destroy != nullptr},
                                                         {"query", api.query != nullptr}};
  for (const auto& [name, is_there] : functions) {
    if (!is_there) return fail(Code::Invalid, "its table has no function " + std::string(name));
  }
  if (view(api.version).size() > kVersionMax) return fail(Code::Invalid, "its version is longer than 64 bytes");
  return {};
}

Result<Module> Module::load(const std::filesystem::path& file, const LoadOptions& options) {
  const std::string where = "module '" + posix::escaped(file.native()) + "'";
  auto checked = check_file(file, options);
  if (!checked) return fail(std::move(checked).error().within(where));
  // The path is opened a second time here, by the loader. It names the file that was checked: nobody but root and the
  // person may change it or a folder above it, which is what open_trusted has seen.
  const auto api = open_library(file);
  if (!api) return fail(Error(api.error()).within(where));
  if (auto sound = check_table(*api.value(), checked->note); !sound)
    return fail(std::move(sound).error().within(where));
  return Module(file, std::move(checked->note), std::move(checked->stamp), api.value());
}

std::string_view Module::version() const noexcept { return view(api_->version); }

std::string_view Module::config_schema() const noexcept { return view(api_->config_schema); }

Result<std::vector<MachineCapability>> Module::probe() const {
  std::vector<MachineCapability> list;
  auto sink = sized<lnk_capability_sink>();
  sink.context = &list;
  sink.report = take_capability;
  ErrorSlot error;
  if (const lnk_status status = api_->probe(&sink, error.get()); status != LNK_OK)
    return fail(error.take(status).within("module '" + note_.id + "': probe"));
  return list;
}

}  // namespace lnk::host
