// SPDX-License-Identifier: Apache-2.0
//
// Shapes of paths, and what a path must be to be held against one.
//
// A shape is parts with '/' between them: `file/bot{secret}/{path}`. A part is literal text with at most one of
//   {name}    one or more letters, digits, '_' and '-'
//   {part}    one or more bytes of one part, of any plain text
//   {secret}  any text of one part, the empty one too, so that whoever checks it sees what was sent
//   {path}    alone and last: one or more further parts, of any plain text
// A path is matched as the bytes that were sent. What a server could read as another path is refused and never decoded:
// an empty, '.' or '..' part, '%', '\', ';', and every byte that may not stand in a path unescaped (RFC 3986 3.3).
//
// May be used by the host, modules and tests; uses nothing but the C++ library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::route {

inline constexpr std::size_t kShapeBytesMax = 512;  ///< a shape is written by hand
inline constexpr std::size_t kShapePartsMax = 32;

/// Why `path` (with no slash in front) is no plain path, in words; empty where it is one.
[[nodiscard]] std::string_view path_fault(std::string_view path) noexcept;
[[nodiscard]] inline bool is_plain_path(std::string_view path) noexcept { return path_fault(path).empty(); }

enum class Kind : std::uint8_t { Name, Part, Secret, Path };

/// A piece of the matched path that stood where the shape has a variable.
struct Capture {
  Kind kind;
  std::size_t at;
  std::size_t size;
};

struct Match {
  std::vector<Capture> captures;  ///< in the path's order, never overlapping
};

/// How literal text is compared. Any case: for what is refused, where the server may fold names.
enum class Letters : std::uint8_t { Exact, AnyCase };

class PathShape {
 public:
  /// errors: Invalid, with the place in the shape and what to write.
  static Result<PathShape> compile(std::string_view shape);

  /// Nothing where `path` is not plain or not of this shape.
  /// complexity: linear in the path.
  [[nodiscard]] std::optional<Match> match(std::string_view path, Letters letters = Letters::Exact) const;
  [[nodiscard]] bool has_secret() const noexcept;
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  /// Literal text around at most one variable.
  struct Part {
    std::string before;
    std::string after;
    std::optional<Kind> variable;
  };

  PathShape() = default;
  static Result<Part> compile_part(std::string_view text, bool last);

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace lnk::route
