// SPDX-License-Identifier: Apache-2.0
//
// A schema as it was read: one rule a place of it. Only the two halves of TableSchema use it.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verb_tables/pattern.hpp"
#include "verb_tables/schema.hpp"

namespace lnk::host {

/// A set of the types that JSON Schema names.
enum TypeBit : unsigned { kNull = 1, kBoolean = 2, kObject = 4, kArray = 8, kNumber = 16, kString = 32, kInteger = 64 };
inline constexpr unsigned kEveryType = kNull | kBoolean | kObject | kArray | kNumber | kString | kInteger;

struct TypeName {
  std::string_view name;
  std::string_view words;
  unsigned bit;
};
inline constexpr TypeName kTypeNames[] = {{"null", "nothing", kNull},
                                          {"boolean", "true or false", kBoolean},
                                          {"object", "a table", kObject},
                                          {"array", "a list", kArray},
                                          {"number", "a number", kNumber},
                                          {"string", "a string", kString},
                                          {"integer", "a whole number", kInteger}};

/// At least and at most so many characters, items or keys.
struct CountLimits {
  std::size_t least = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};

struct NumberLimits {
  std::optional<boost::json::value> least, most, above, below;
};

struct SchemaRule {
  bool is_nothing = false;  ///< `false`: no value fits
  unsigned types = kEveryType;
  std::optional<Opens> opens = {};
  std::optional<std::vector<boost::json::value>> values = {};  ///< of enum and const
  NumberLimits number = {};
  CountLimits length = {}, items = {}, keys = {};
  std::optional<std::pair<std::string, Pattern>> pattern = {};
  bool is_unique = false;
  const SchemaRule* item = nullptr;
  std::map<std::string, const SchemaRule*, std::less<>> properties = {};
  std::vector<std::string> required = {};
  const SchemaRule* other_keys = nullptr;  ///< additionalProperties; null: any
  const SchemaRule* ref = nullptr;
  std::vector<const SchemaRule*> all = {}, any = {}, one = {};
  const SchemaRule* none = nullptr;  ///< not
};

struct TableSchema::Rules {
  std::vector<std::unique_ptr<SchemaRule>> rules;
  const SchemaRule* top = nullptr;
};

// ---- values --------------------------------------------------------------------------------------------------------

/// The types that a value has: of 3, and of 3.0, number and integer.
[[nodiscard]] unsigned types_of(const boost::json::value& value) noexcept;
[[nodiscard]] long double number_of(const boost::json::value& value) noexcept;
/// Numbers by what they are, 1 as 1.0; the order of an object's keys counts for nothing. `steps` grows by what was looked at.
[[nodiscard]] bool is_equal(const boost::json::value& left, const boost::json::value& right, std::size_t& steps);
/// In characters. A text is UTF-8.
[[nodiscard]] std::size_t length_of(std::string_view text) noexcept;
/// `/a~1b/0` and one more part.
[[nodiscard]] std::string below(std::string_view path, std::string_view key);
[[nodiscard]] std::string below(std::string_view path, std::size_t place);
/// The value as JSON, cut where it is long, safe to show.
[[nodiscard]] std::string in_short(const boost::json::value& value);

}  // namespace lnk::host
