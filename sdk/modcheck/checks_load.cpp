// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "elf_exports.hpp"
#include "lnk/abi/probe.h"
#include "lnk/posix/io.hpp"
#include "loaded.hpp"
#include "modules/module_file.hpp"
#include "verb_tables/schema.hpp"

namespace lnk::modcheck {

namespace {

constexpr std::size_t kFileBytesMax = 256 * 1024 * 1024;

Outcome check_load(const Subject& subject) {
  const auto module = load(subject);
  return module ? Outcome::passed() : Outcome::failed(module.error().text);
}

Outcome check_exports(const Subject& subject) {
  const auto bytes = posix::read_file(subject.file, kFileBytesMax);
  if (!bytes) return Outcome::failed(bytes.error().text);
  const auto names = read_exports(std::as_bytes(std::span(bytes->data(), bytes->size())));
  if (!names) return Outcome::failed(names.error().text);
  std::string others;
  bool has_table = false;
  for (const std::string& name : *names) {
    if (name == "lnk_module_v1") {
      has_table = true;
    } else {
      others += (others.empty() ? "" : ", ") + name;
    }
  }
  if (!has_table) return Outcome::failed("it does not export lnk_module_v1");
  if (!others.empty()) return Outcome::failed("it exports more than lnk_module_v1: " + others);
  return Outcome::passed();
}

Outcome check_probe(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  for (int round = 1; round <= 2; ++round) {
    const auto told = module->probe();
    if (!told) return failed_step(told.error(), "round " + std::to_string(round));
    std::set<std::string> names;
    for (const auto& capability : *told) {
      if (!host::parse_requirements(capability.name))
        return Outcome::failed("'" + capability.name + "' is no capability's name");
      if (!names.insert(capability.name).second) return Outcome::failed("it tells of " + capability.name + " twice");
      if (capability.state < LNK_SUPPORTED || capability.state > LNK_UNKNOWN)
        return Outcome::failed(capability.name + " has the unknown state " + std::to_string(capability.state));
    }
  }
  return Outcome::passed();
}

/// The host reads the schema of a spec's table in the file, and the module's own table holds it too.
Outcome check_schema(const Subject& subject) {
  const auto file = host::ModuleFile::open(subject.file);
  if (!file) return Outcome::failed(file.error().text);
  const auto text = file->schema();
  if (!text) return Outcome::failed(text.error().text);
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  if (module->config_schema() != *text)
    return Outcome::failed(
        "the schema of its note is not the one of its table (config_schema); both hold the same text, or neither has one");
  if (text->empty()) return Outcome::passed();
  const auto schema = host::TableSchema::read(*text);
  if (!schema) return Outcome::failed("its schema: " + schema.error().text);
  std::string faults;
  for (const auto& fault : schema->check(subject.config_json).faults)
    faults += (faults.empty() ? "" : "; ") + (fault.path.empty() ? "it" : fault.path) + " " + fault.words;
  if (faults.empty()) return Outcome::passed();
  return Outcome::failed("the configuration that it is checked with (--config) doesn't fit its own schema: " + faults);
}

constexpr Check kChecks[] = {
    {"load", "the host would load it: trusted path, sound note, its own name, one table of this SDK", check_load},
    {"exports", "it exports lnk_module_v1 and nothing else", check_exports},
    {"schema", "the schema of its own table in a spec can be held, is the one in its note, and takes the configuration given",
     check_schema},
    {"probe", "its probe can be run again, and each record is of the form that the header names", check_probe},
};

}  // namespace

std::span<const Check> load_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
