// SPDX-License-Identifier: Apache-2.0
//
// What most checks begin with.
#pragma once

#include <string>

#include "check.hpp"
#include "lnk/fake/verb_bench.hpp"
#include "modules/instance.hpp"
#include "modules/module.hpp"

namespace lnk::modcheck {

[[nodiscard]] inline Result<host::Module> load(const Subject& subject) { return host::Module::load(subject.file); }

[[nodiscard]] inline bool is_kind(const host::Module& module, host::ModuleKind kind) {
  return module.note().kind == kind;
}

/// An outcome for a step that did not go well; a config that is refused is the caller's to give.
[[nodiscard]] inline Outcome failed_step(const Error& error, std::string_view step) {
  return Outcome::failed(std::string(step) + ": " + error.text);
}

[[nodiscard]] inline std::string with_hint(const Error& error) {
  return error.text + " (give a configuration that it takes with --config)";
}

}  // namespace lnk::modcheck
