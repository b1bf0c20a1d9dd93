// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "loaded.hpp"
#include "process_state.hpp"

namespace lnk::modcheck {

namespace {

using host::Instance;
using host::Module;

/// No configuration of any module: the host gives one JSON object.
constexpr std::string_view kNoConfigs[] = {
    "", "{", "[]", "null", "7", "{}x", "{\"a\":}", "\xFF\xFE", "{\"a\":\"\xFF\"}"};

std::string shown(std::string_view config) { return "'" + std::string(config.substr(0, 40)) + "'"; }

Result<Instance> make(const Module& module, const Subject& subject) {
  return Instance::create(module, {subject.config_json, {}});
}

Outcome check_create(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  for (int round = 0; round < 3; ++round) {
    const auto instance = make(*module, subject);
    if (!instance) return Outcome::failed(with_hint(instance.error()));
  }
  return Outcome::passed();
}

Outcome check_two_instances(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  auto one = make(*module, subject);
  if (!one) return Outcome::failed(with_hint(one.error()));
  auto two = make(*module, subject);
  if (!two) return failed_step(two.error(), "the second");
  if (one->get() == two->get()) return Outcome::failed("two instances are one");
  // The first goes first, so that the second must stand on its own.
  one = make(*module, subject);
  if (!one) return failed_step(one.error(), "a third, after the first was destroyed");
  return Outcome::passed();
}

Outcome check_bad_config(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  const lnk_module_api& api = module->api();
  for (const std::string_view config : kNoConfigs) {
    ErrorSlot refused;
    if (api.check_config(to_str(config), refused.get()) == LNK_OK)
      return Outcome::failed("check_config takes " + shown(config) + ", which is no JSON object");
    if (refused.text().empty()) return Outcome::failed("check_config refuses " + shown(config) + " without a word");
  }
  return Outcome::passed();
}

Outcome check_failed_create(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  static constexpr lnk_host_api kHost{
      {sizeof(lnk_host_api), LNK_SDK_MAJOR, LNK_SDK_MINOR},
      [](lnk_host*, lnk_str, std::uint32_t) noexcept -> const lnk_iface* { return nullptr; },
      [](lnk_host*, std::uint32_t, lnk_str) noexcept {},
      [](lnk_host*) noexcept -> std::int32_t { return 1; }};
  for (const std::string_view config : kNoConfigs) {
    ErrorSlot error;
    lnk_instance* made = nullptr;
    if (module->api().create(nullptr, &kHost, to_str(config), &made, error.get()) == LNK_OK)
      return Outcome::failed("create takes " + shown(config) + ", which check_config refuses");
    if (made != nullptr) return Outcome::failed("a failed create leaves an instance behind");
  }
  return Outcome::passed();
}

Outcome check_unknown_interface(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  const auto instance = make(*module, subject);
  if (!instance) return Outcome::failed(with_hint(instance.error()));
  const struct {
    std::string_view id;
    std::uint32_t major;
  } unknown[] = {{"lnk.stranger", 1},    {"", 1},         {"lnk.verb", 4711},
                 {"lnk.confiner", 4711}, {"lnk.verb", 0}, {"lnk.confiner", 0}};
  for (const auto& [id, major] : unknown) {
    if (module->api().query(instance->get(), to_str(id), major) != nullptr)
      return Outcome::failed("it has a table for '" + std::string(id) + "/" + std::to_string(major) +
                             "', which is none");
  }
  return Outcome::passed();
}

Outcome check_error_record(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  // A record of an older, shorter form: nothing may be written behind what its size says.
  lnk_error record;
  for (const std::uint32_t size : {0U, 8U, static_cast<std::uint32_t>(offsetof(lnk_error, text)) + 4U}) {
    std::memset(&record, 0x5A, sizeof record);
    record.size = size;
    if (module->api().check_config(to_str("{"), &record) == LNK_OK) return Outcome::failed("check_config takes '{'");
    const auto* bytes = reinterpret_cast<const unsigned char*>(&record);
    for (std::size_t at = std::max<std::size_t>(size, sizeof record.size); at < sizeof record; ++at) {
      if (bytes[at] != 0x5A)
        return Outcome::failed("it writes byte " + std::to_string(at) + " of an error record of " +
                               std::to_string(size) + " bytes");
    }
  }
  if (module->api().check_config(to_str("{"), nullptr) == LNK_OK) return Outcome::failed("check_config takes '{'");
  return Outcome::passed();
}

Outcome check_process(const Subject& subject) {
  const ProcessState before = ProcessState::of_this_process();
  {
    const auto module = load(subject);
    if (!module) return Outcome::failed(module.error().text);
    const auto told = module->probe();
    const auto instance = make(*module, subject);
    if (!instance) return Outcome::failed(with_hint(instance.error()));
  }
  const std::string change = before.change_to(ProcessState::of_this_process());
  return change.empty() ? Outcome::passed() : Outcome::failed(change);
}

constexpr Check kChecks[] = {
    {"create", "an instance is made and destroyed, again and again", check_create},
    {"two-instances", "two instances live side by side, and one outlives the other", check_two_instances},
    {"bad-config", "what is no JSON object is refused, in words", check_bad_config},
    {"failed-create", "create refuses what check_config refuses, and makes nothing", check_failed_create},
    {"unknown-interface", "an interface that it has not is answered with nothing", check_unknown_interface},
    {"error-record", "nothing is written behind the size of an error record, nor to none", check_error_record},
    {"process", "descriptors, threads, folder, mask, signals and environment are left as they were", check_process},
};

}  // namespace

std::span<const Check> lifecycle_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
