// SPDX-License-Identifier: Apache-2.0
//
// The JSON Schema that a verb's module carries for its own table of a spec, and a table held against it.
//
// It is a part of draft 2020-12, listed in sdk/README.md: what is not in it is refused where the schema is read, and never passed
// over. Nothing is fetched: a $ref names one of the schema's own $defs.
//
// Guarantees: `read` and `check` end on any input, within the named limits; a table that has no fault has every property that
// the schema asks for; a value is marked only where the schema holds it in any case, which what stands below anyOf, oneOf and not
// can't.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// What a value of the table opens, by the `format` that the schema gives it.
enum class Opens { Host, InsidePort };

inline constexpr std::string_view kHostFormat = "lnk-host";
inline constexpr std::string_view kInsidePortFormat = "lnk-inside-port";

/// Of a value, by its JSON Pointer (RFC 6901) in the table; "" is the table.
struct TableFault {
  std::string path;
  std::string words;  ///< "is a number, and a string is wanted"; what it quotes is escaped
};

struct MarkedValue {
  std::string path;
  Opens opens = Opens::Host;
  std::string text;        ///< of Host, as written
  std::uint16_t port = 0;  ///< of InsidePort
};

struct TableFindings {
  std::vector<TableFault> faults;  ///< every one, in the order of the table; empty: it fits
  std::vector<MarkedValue> marked;
};

struct SchemaRule;

class TableSchema {
 public:
  /// errors: Invalid, Unsupported, Limit, each with the place in the schema
  [[nodiscard]] static Result<TableSchema> read(std::string_view json);

  /// `table_json` is an object; what isn't JSON is one fault.
  [[nodiscard]] TableFindings check(std::string_view table_json) const;

 private:
  struct Rules;
  explicit TableSchema(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}

  std::shared_ptr<const Rules> rules_;
};

}  // namespace lnk::host
