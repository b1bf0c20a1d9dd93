// SPDX-License-Identifier: Apache-2.0
//
// Values in which a secret is named: read from a module, checked, and written out with the secret in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"
#include "lnk/secret/secret_bytes.hpp"
#include "wire/verb/handles.hpp"

namespace lnk::host {

struct Piece {
  std::uint32_t kind = LNK_PIECE_TEXT;
  std::string text;
};
using Pieces = std::vector<Piece>;

/// What a value is for, which says what bytes may stand in it.
enum class ValuePlace : std::uint8_t { Target, Field };

/// Copies and checks a module's value: kinds, encodings that are closed and not nested, and every byte of text.
/// errors: Invalid, Limit. The words are for the log.
Result<Pieces> read_pieces(const lnk_value& value, ValuePlace place);

/// The handles that a value names.
[[nodiscard]] std::vector<std::string> handles_of(const Pieces& pieces);

/// The bytes to write, with each handle's value in its place.
/// errors: Gone (no such handle), Invalid (the value can't stand there as it is), Limit.
Result<secret::SecretBytes> render(const Pieces& pieces, ValuePlace place, const HandleStore& handles);

}  // namespace lnk::host
