// SPDX-License-Identifier: Apache-2.0
//
// JSON held to a rule's fields, in one pass and with no copy of it. What two readers could read differently is refused: a key
// twice in one object, bad UTF-8, a BOM, a depth over 64, more behind its end.
// Pure: views in, words out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/secret/held_field.hpp"

namespace lnk::verb_secret {

inline constexpr std::size_t kJsonDepthMax = 64;
inline constexpr std::size_t kJsonInTextMax = 3;  ///< JSON as a text of JSON: services take it once

/// What may not stand, and why, in words that go on from its name.
struct HeldFault {
  std::string name;  ///< empty: of the whole
  std::string_view why;
};

/// Nothing where `json`, a whole body, may pass.
[[nodiscard]] std::optional<HeldFault> held_json_fault(const std::vector<secret::HeldField>& fields, std::string_view json);

/// Why `text` may not be the value of `name`, in words that go on from its name; empty: it may.
[[nodiscard]] std::string_view held_fault(const std::vector<secret::HeldField>& fields, std::string_view name, std::string_view text);

}  // namespace lnk::verb_secret
