// SPDX-License-Identifier: Apache-2.0
//
// A request's body, held to a rule's fields: JSON, a form as a query (WHATWG URL 5.1), or a form of parts (RFC 7578). A body of
// another type, coding or character set is not read, and so not passed on; one that two readers could read differently neither.
// Pure: views in, values out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config.hpp"
#include "held_json.hpp"
#include "lnk/cpp/verb_events.hpp"

namespace lnk::verb_secret {

inline constexpr std::uint64_t kTextBodyBytesMax = 4 * 1024 * 1024;   ///< JSON and forms: what a person or a model wrote
inline constexpr std::uint64_t kPartsBodyBytesMax = 32 * 1024 * 1024;  ///< files: as much as the host reads whole
inline constexpr std::size_t kPartsMax = 256;
inline constexpr std::size_t kBoundaryBytesMax = 70;  // RFC 2046 5.1.1

struct BodyType {
  enum class Kind : std::uint8_t { Json, Form, Parts };
  Kind kind = Kind::Json;
  std::string boundary = {};  ///< Parts

  [[nodiscard]] std::uint64_t bytes_max() const noexcept { return kind == Kind::Parts ? kPartsBodyBytesMax : kTextBodyBytesMax; }
};

/// Nothing where the head says no type that is read, or a coding.
[[nodiscard]] std::optional<BodyType> body_type(const Fields& fields);

/// Nothing where the body may pass.
[[nodiscard]] std::optional<HeldFault> body_fault(const Secret& secret, const BodyType& type, std::string_view body);

}  // namespace lnk::verb_secret
