// SPDX-License-Identifier: Apache-2.0
#include "filter.hpp"

#include "walk.hpp"

namespace lnk::verb_model {

std::optional<Denial> filter(const Filter& how, jsonfilter::Document& document) {
  if (!document.root().is_object()) return Denial{400, "bad-body", "the body is no JSON object"};
  Walk walk(how.shapes, how.policy, document);
  if (auto denial = walk.run(how.shape)) return denial;
  if (walk.removed_tools()) mend_choice(how.choice, walk.kept_tools(), document);
  return std::nullopt;
}

}  // namespace lnk::verb_model
