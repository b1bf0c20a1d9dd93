// SPDX-License-Identifier: Apache-2.0
//
// One request held to the rules: the whole of what this verb decides, without the boundary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "body.hpp"
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
  std::optional<BodyType> body = {};  ///< the body is to be read, and held by decide_body
};

using Decision = std::variant<Denial, Passage>;

/// A request below secret/<name>/.
[[nodiscard]] Decision decide(const Secret& secret, const HeadEvent& head);

/// Why a body that was read may not go on; nothing: it may.
[[nodiscard]] std::optional<Denial> decide_body(const Secret& secret, const BodyType& type, std::string_view body);

/// A request below secret/ whose first part names no secret: a client that resolves its path against an API root
/// without a slash at its end drops the root's last part, the name. The placeholder says which secret is meant, or
/// none.
[[nodiscard]] const Secret* find_unnamed(const std::vector<Secret>& secrets, const HeadEvent& head);
/// What a request is answered with that no secret is meant by.
[[nodiscard]] Denial no_such_verb();

}  // namespace lnk::verb_secret
