// SPDX-License-Identifier: Apache-2.0
//
// Body bytes as their framing has them on the wire.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "lnk/http/body.hpp"
#include "wire/byte_stream.hpp"

namespace lnk::host {

/// Raw, or as one chunk. `bytes` may lie in the loop's buffer; nothing is written where it is empty.
Task<Status> write_body_piece(ByteStream& to, http::Framing framing, std::span<const std::byte> bytes);
/// The last chunk; nothing where the body isn't chunked.
Task<Status> write_body_end(ByteStream& to, http::Framing framing);

/// The same bytes behind `text`, for what goes out in one packet with a head.
void append_body_piece(std::string& text, http::Framing framing, std::span<const std::byte> bytes);

}  // namespace lnk::host
