// SPDX-License-Identifier: Apache-2.0
//
// One request held to the runtimes' table, by its head: the whole of what this verb decides before it has the body.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "denial.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "lnk/jsonfilter/coded_body.hpp"

namespace lnk::verb_local {

/// What goes to the runtime.
struct Passage {
  std::string target;  ///< origin-form
  std::vector<FieldEdit> edits;
  bool has_body = false;  ///< one that is read first, and goes on as it was written anew
  jsonfilter::Coding coding = jsonfilter::Coding::Identity;
};

using Decision = std::variant<Denial, Passage>;

/// A request below local/<port>/.
[[nodiscard]] Decision decide(const HeadEvent& head);

}  // namespace lnk::verb_local
