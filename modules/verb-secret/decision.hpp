// SPDX-License-Identifier: Apache-2.0
//
// One request held to the rules: the whole of what this verb decides, without the boundary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "lnk/cpp/verb_events.hpp"

namespace lnk::verb_secret {

struct Denial {
  std::uint32_t status;
  std::string_view reason;  ///< a word of the wire's table
  std::string words;
};

/// A relay to the secret's one host. The secret stands in it as a handle.
struct Passage {
  std::string_view host;
  Value target;
  std::vector<FieldEdit> edits;
};

using Decision = std::variant<Denial, Passage>;

/// A request below secret/<name>/.
[[nodiscard]] Decision decide(const Secret& secret, const HeadEvent& head);

/// A request below secret/ whose first part names no secret: a client that resolves its path against an API root
/// without a slash at its end drops the root's last part, the name. The placeholder says which secret is meant, or
/// none.
[[nodiscard]] Decision decide_unnamed(const std::vector<Secret>& secrets, const HeadEvent& head);

}  // namespace lnk::verb_secret
