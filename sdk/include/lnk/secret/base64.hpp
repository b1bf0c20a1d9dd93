// SPDX-License-Identifier: Apache-2.0
//
// Base64 in its two alphabets (RFC 4648 sections 4 and 5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lnk/secret/secret_bytes.hpp"

namespace lnk::secret {

/// With padding, as an Authorization field has it.
[[nodiscard]] SecretBytes base64_encode(std::string_view bytes);
/// The URL's alphabet, with no padding: 32 bytes become 43 characters.
[[nodiscard]] std::string base64url_encode(std::string_view bytes);
/// Strict: the standard alphabet, whole groups, canonical padding; nothing else, since two readers could differ.
[[nodiscard]] std::optional<SecretBytes> base64_decode(std::string_view text);

}  // namespace lnk::secret
