// SPDX-License-Identifier: Apache-2.0
//
// A named field of a body, or parameter of a query, that a rule refuses or holds to certain texts. A name is compared by its
// letters and digits alone, in any case, whole and by each part between dots and brackets: servers make them one.
// Pure: views in, values out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::secret {

inline constexpr std::size_t kHeldFieldsMax = 64;  ///< a service has a few dozen parameters that do more than they say
inline constexpr std::size_t kHeldTextsMax = 64;
inline constexpr std::size_t kHeldWordBytesMin = 3;  ///< a shorter word stands in every text

/// Literal text with at most one {name}, which is one or more letters, digits, '_' and '-'.
struct ValueShape {
  std::string before;
  std::string after;
  bool has_name = false;
};

/// Refused altogether where it says nothing more.
struct HeldField {
  std::string name;
  std::string letters;              ///< the name as letters_and_digits gives it
  std::vector<ValueShape> values;   ///< the texts it may have
  std::vector<std::string> holds;   ///< words none of which its text may hold, in any case; lower case here
  bool is_json = false;             ///< its text may be JSON, which is read and held as well

  [[nodiscard]] bool is_refused() const noexcept { return values.empty() && holds.empty() && !is_json; }
};

/// Lower case letters and digits alone: servers fold case, and take dots, dashes, blanks and brackets for one another or
/// for nothing (PHP makes "a.b" and " a b" a_b, and a[] a).
[[nodiscard]] std::string letters_and_digits(std::string_view name);

enum class Held : std::uint8_t { Passes, Json, Refused };

/// Whether `text` may be the value of `name`. Json: if what it holds may be too.
[[nodiscard]] Held hold_text(const std::vector<HeldField>& fields, std::string_view name, std::string_view text);
/// Whether any field is of this name.
[[nodiscard]] bool is_held(const std::vector<HeldField>& fields, std::string_view name);
/// Whether `name` may stand at all.
[[nodiscard]] bool may_stand(const std::vector<HeldField>& fields, std::string_view name);
/// Whether an object or a list may be its value.
[[nodiscard]] bool may_contain(const std::vector<HeldField>& fields, std::string_view name);

/// Whether a file may be its value, whose bytes nobody reads: where it has texts of its own, which name files.
[[nodiscard]] bool may_be_file(const std::vector<HeldField>& fields, std::string_view name);

}  // namespace lnk::secret
