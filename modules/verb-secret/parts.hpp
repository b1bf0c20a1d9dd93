// SPDX-License-Identifier: Apache-2.0
//
// The parts of a multipart/form-data body (RFC 7578), read so that no other reader finds other parts: the boundary's text
// stands nowhere but between parts, lines end as they must, and a part has the few fields that clients send.
// Pure: views in, views out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::verb_secret {

struct Part {
  std::string_view name;
  bool is_file;  ///< it has a file's name
  std::string_view content;
};

/// Nothing where the body is not of this form or has more than `parts_max`.
/// complexity: linear in the body.
[[nodiscard]] std::optional<std::vector<Part>> read_parts(std::string_view body, const std::string& boundary, std::size_t parts_max);

}  // namespace lnk::verb_secret
