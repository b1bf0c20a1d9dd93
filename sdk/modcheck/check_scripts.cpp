// SPDX-License-Identifier: Apache-2.0
#include "lnk/fake/script.hpp"
#include "loaded.hpp"

namespace lnk::modcheck {

namespace {

Outcome check_scripts(const Subject& subject) {
  if (subject.script.empty()) return Outcome::not_for_this_kind();
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  const auto results = fake::run_scripts(module->api(), subject.script);
  if (!results) return Outcome::failed(results.error().text);
  std::string faults;
  for (const auto& result : *results) {
    for (const std::string& fault : result.faults) faults += (faults.empty() ? "" : "\n") + result.name + ": " + fault;
  }
  return faults.empty() ? Outcome::passed() : Outcome::failed(faults);
}

constexpr Check kChecks[] = {{"scripts", "each event of the script comes to what it expects", check_scripts}};

}  // namespace

std::span<const Check> script_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
