// SPDX-License-Identifier: Apache-2.0
//
// A request's body out of its content coding (RFC 9110 8.4): gzip (RFC 1952) and zstd (RFC 8878), each exactly one member or
// frame, with nothing behind it: what follows one is read by some and passed over by others.
//
// Guarantees: no more than the limit is ever written, whatever the coded bytes promise; memory beside it is the decoder's
// window, at most 8 MiB.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::jsonfilter {

enum class Coding { Identity, Gzip, Zstd };

struct DecodeLimits {
  std::size_t bytes_max = 32 * 1024 * 1024;
  /// Decoded bytes for each coded one; JSON of the most repetitive kind comes to some dozens.
  std::size_t ratio_max = 200;
  /// Up to so much the ratio says nothing: a short text may well be one letter many times.
  std::size_t ratio_free_bytes = 1024 * 1024;
};

/// The coding that one Content-Encoding field names, in any case of its letters; nothing for one that isn't decoded here,
/// and for several.
[[nodiscard]] std::optional<Coding> coding_of(std::string_view field_value) noexcept;

/// errors: Invalid: not of that coding, cut short, or more behind its end; Limit: too large, or too much of so little.
[[nodiscard]] Result<std::string> decode(Coding coding, std::string_view coded, const DecodeLimits& limits = {});

}  // namespace lnk::jsonfilter
