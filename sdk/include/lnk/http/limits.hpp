// SPDX-License-Identifier: Apache-2.0
//
// How large a message's parts may be. Each limit is named once, here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lnk::http {

/// A whole head, request line and blank line included. Browsers and servers stop between 8 and 80 KiB.
inline constexpr std::size_t kHeadBytesMax = 64 * 1024;
inline constexpr std::size_t kFieldsMax = 100;
inline constexpr std::size_t kTargetBytesMax = 16 * 1024;
/// One field line of a request; a reply's may be as long as its head.
inline constexpr std::size_t kRequestFieldBytesMax = 8 * 1024;
/// RFC 1035 2.3.4: a name without its last dot, and one label.
inline constexpr std::size_t kHostBytesMax = 253;
inline constexpr std::size_t kLabelBytesMax = 63;
/// A chunk's size line with its extensions, which are dropped. 16 hex digits are 64 bits.
inline constexpr std::size_t kChunkLineBytesMax = 256;
inline constexpr std::size_t kChunkSizeDigitsMax = 16;
/// All extensions of one body: without it a sender of one-byte chunks could have most of a body thrown away.
inline constexpr std::size_t kChunkExtensionBytesMax = 16 * 1024;
/// Trailers are dropped; this bounds what is read to drop.
inline constexpr std::size_t kTrailerBytesMax = 8 * 1024;
/// Interim replies (1xx) before the final one.
inline constexpr int kInterimRepliesMax = 8;

}  // namespace lnk::http
